"""An agent's round over MCP: it asks, reads the reasons, accepts and tells."""

import asyncio
import sys

from mcp import Client, StdioServerParameters

import counsel as cs

cs.create_study(cs.Space(x=cs.Float(0, 1)), name="tea", storage="sqlite:///lab.db", seed=0)
server = StdioServerParameters(
    command=sys.executable,  # any client's configuration: command "counsel", arguments ["mcp", ...]
    args=["-c", "from counsel.cli import main; main()", "mcp", "--storage", "sqlite:///lab.db"],
)


async def main() -> None:
    async with Client(server) as agent:
        for _ in range(3):
            answer = await agent.call_tool("ask", {"study": "tea"})
            proposal = answer.structured_content["result"][0]
            told = {"study": "tea", "proposal": proposal["id"], "value": proposal["values"]["x"]}
            await agent.call_tool("tell", told)
        print((await agent.call_tool("best", {"study": "tea"})).structured_content)


asyncio.run(main())
