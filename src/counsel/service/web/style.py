"""The look that all pages share: colours, type, cards, buttons, and a few utility classes.

The utility classes that the pages use, and the resets that they rely on, are written here: the
framework's Tailwind would compile them in the browser, at every load and at every change.
"""

__all__ = ["COLOURS", "FONT", "MARK", "STYLE"]

# The system's own, else the one that the service brings.
FONT = "-apple-system, 'Segoe UI', Roboto, system-ui, sans-serif"

# The framework's own names for colours; text in them is readable on both backgrounds.
COLOURS = {
    "primary": "#0069a6",
    "positive": "#00704f",
    "negative": "#b3261e",
    "dark": "#182027",
    "dark_page": "#0f1519",
}
MARK = (
    "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'>"
    "<rect width='32' height='32' rx='8' fill='#0069a6'/>"
    "<path d='M22.5 10.5a8.5 8.5 0 1 0 0 11' fill='none' stroke='white' stroke-width='3.4' "
    "stroke-linecap='round'/><circle cx='16' cy='16' r='3' fill='#ffb454'/></svg>"
)
STYLE = """
figure { margin: 0; }
svg, img, canvas, video { display: block; vertical-align: middle; }
img { max-width: 100%; height: auto; }
.w-full { width: 100%; } .w-96 { width: 24rem; max-width: 100%; }
.items-center { align-items: center; } .items-start { align-items: flex-start; }
.items-end { align-items: flex-end; }
.justify-center { justify-content: center; } .self-center { align-self: center; }
.no-wrap { flex-wrap: nowrap; }
.gap-0 { gap: 0; } .gap-1 { gap: .25rem; } .gap-2 { gap: .5rem; }
.text-sm { font-size: .875rem; line-height: 1.43; }
.text-lg { font-size: 1.125rem; line-height: 1.55; }
:root { --ink: #15202b; --faint: #55626e; --line: #dde3e8; --track: #e3e8ed; --surface: #fff;
  --accent: #0069a6; --tint: #e6f1f8; --mine: #b84a00; --warm: #fdf0e3; --good: #00704f;
  --fresh: #e4f4ee; }
body.body--dark { --ink: #e8edf1; --faint: #a6b3bd; --line: #2d3841; --track: #323e48;
  --surface: #182027; --accent: #6cc0f0; --tint: #14303f; --mine: #ff9a5c; --warm: #3a2618;
  --good: #5fd0a5; --fresh: #12342a; }
body { font-family: FONT; color: var(--ink);
  font-size: 15px; line-height: 1.5; -webkit-font-smoothing: antialiased; }
body.body--light { background: #f4f6f8; }
body.body--dark .q-btn--flat, body.body--dark .q-btn--outline, body.body--dark .q-field,
body.body--dark .q-radio, body.body--dark .q-checkbox, body.body--dark .q-toggle,
body.body--dark .q-tabs, body.body--dark .text-negative { --q-primary: #6cc0f0;
  --q-negative: #ff8f6b; }
.faint { color: var(--faint); }
a.nicegui-link { color: var(--accent); }
.nicegui-content { padding: 0; align-items: stretch; }
.page { width: 100%; max-width: 1240px; margin: 0 auto; padding: 20px 20px 40px; gap: 16px; }
.page > #status { margin-top: -10px; }
.page > :empty { display: none; }
.text-h5 { font-size: 1.7rem; font-weight: 700; letter-spacing: -.02em; line-height: 1.2; }
.text-h6 { font-size: 1.15rem; font-weight: 650; letter-spacing: -.01em; line-height: 1.3; }
.big { font-size: 1.3rem; font-weight: 650; letter-spacing: -.01em; line-height: 1.3;
  overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
.q-card { border: 1px solid var(--line); border-radius: 14px; background: var(--surface);
  box-shadow: 0 1px 2px rgba(16, 32, 48, .04), 0 4px 14px rgba(16, 32, 48, .04); }
.q-dialog .q-card { box-shadow: 0 12px 48px rgba(0, 0, 0, .25); }
.q-btn { border-radius: 9px; font-weight: 600; letter-spacing: 0; }
.q-btn--round { border-radius: 50%; }
.q-field--outlined .q-field__control { border-radius: 9px; }
.q-btn-group { border: 1px solid var(--line); border-radius: 9px; }
.q-btn-group .q-btn { padding: 4px 14px; }
.q-uploader { border-radius: 10px; overflow: hidden; box-shadow: none;
  border: 1px solid var(--line); }
.q-tab-panel { padding: 12px 0; }
.q-card .q-expansion-item__container > .q-item { padding-left: 0; padding-right: 4px; }
.q-card .q-expansion-item__content > .nicegui-expansion-content { padding-left: 0;
  padding-right: 0; }
.q-table__card { border-radius: 14px; overflow: hidden; }
.pill { display: inline-block; padding: 1px 10px; border-radius: 999px; font-size: .8rem;
  line-height: 1.6; white-space: nowrap; background: var(--track); color: var(--ink); }
.columns { display: grid; grid-template-columns: 1fr 1fr; gap: 16px; width: 100%; }
.columns > * { min-width: 0; }
@media (max-width: 900px) { .columns { grid-template-columns: 1fr; } }
.span { height: 6px; border-radius: 3px; background: var(--track); width: 100%; }
.span > div { height: 6px; border-radius: 3px; background: var(--accent); }
.chances { display: grid; grid-template-columns: repeat(auto-fill, minmax(125px, 1fr));
           gap: 10px 16px; width: 100%; }
.q-header { background: var(--surface); color: var(--ink); border-bottom: 1px solid var(--line);
  padding: 6px 20px; gap: 4px 8px; min-height: 54px; }
.nav { gap: 2px; }
.nav a.nicegui-link { text-decoration: none; padding: 6px 12px; border-radius: 9px;
  color: var(--faint); font-weight: 500; }
.nav a.nicegui-link:hover { background: var(--track); color: var(--ink); }
.nav a.nicegui-link[aria-current] { background: var(--tint); color: var(--accent);
  font-weight: 650; }
.nav a.home { color: var(--ink); font-weight: 700; font-size: 1.1rem; letter-spacing: -.01em;
  padding-left: 0; display: flex; align-items: center; gap: 9px; }
.nav a.home:hover { background: none; }
.nav a.home::before { content: ''; width: 26px; height: 26px; background: url("MARK"); }
.who { width: 130px; }
a:focus-visible, button:focus-visible { outline: 3px solid #e69f00; outline-offset: 2px; }
kbd { border: 1px solid currentColor; border-radius: 5px; padding: 0 5px; font-size: .72em;
      opacity: .75; margin-left: 8px; font-family: inherit; }
@media (max-width: 600px) {
  .q-btn kbd { display: none; } .page { padding: 14px 10px 32px; gap: 12px; }
  .q-header { padding: 6px 10px; gap: 4px; } .nav a.nicegui-link { padding: 6px 7px; }
  .nav a.home.short { font-size: 0; gap: 0; padding: 0 3px 0 0; } .who { width: 72px; }
  .q-card { border-radius: 12px; }
}
""".replace("FONT", FONT).replace("MARK", "data:image/svg+xml," + MARK.replace("#", "%23"))
