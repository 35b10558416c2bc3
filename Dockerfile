# The service: pages and REST on port 8000. `docker build -t counsel .`
FROM python:3.12-slim

RUN useradd --system --uid 10001 --create-home counsel
WORKDIR /opt/counsel
COPY pyproject.toml constraints.txt README.md LICENSE ./
COPY src ./src
RUN pip install --no-cache-dir --constraint constraints.txt ".[server,postgres]"

USER 10001
ENV COUNSEL_STORAGE=sqlite:////home/counsel/data/counsel.db \
    COUNSEL_CACHE=/home/counsel/cache
RUN mkdir -p /home/counsel/data /home/counsel/cache
VOLUME ["/home/counsel/data", "/home/counsel/cache"]
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=6 \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/api/v1/live', timeout=4)"]
# Off loopback it starts only if a token exists: see docs/how-to/team.md.
ENTRYPOINT ["counsel"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8000"]
