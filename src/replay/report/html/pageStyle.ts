/**
 * The style of a page. The colors of errors are distinct for colorblind people, and each kind of error has a mark as
 * well.
 */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --page: #fff; --panel: #f6f7f9; --ink: #1b1f24; --soft: #59636e; --line: #d9dee4; --link: #0a58ca; --focus: #0a58ca;
  --good: #17723a; --bad: #b42318; --wave: #7b8a9c;
  --substitution: #7a4b00; --substitution-back: #ffedc7; --deletion: #9c1c66; --deletion-back: #fde3f1;
  --insertion: #0b4fa8; --insertion-back: #dcebff; --now: #fff3a3; --hole: #b4231855; --silence: #59636e26;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --page: #14171b; --panel: #1d2127; --ink: #e4e7eb; --soft: #9aa5b1; --line: #333a43; --link: #7db3ff; --focus: #7db3ff;
    --good: #5fd08b; --bad: #ff8a80; --wave: #6d7c8f;
    --substitution: #ffc861; --substitution-back: #453208; --deletion: #ff9ad0; --deletion-back: #4a1736;
    --insertion: #93c3ff; --insertion-back: #12335f; --now: #5c5312; --hole: #ff8a8055; --silence: #9aa5b126;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--ink); font: 14px/1.45 system-ui, sans-serif; font-variant-numeric: tabular-nums; }
main { max-width: 1280px; margin: 0 auto; padding: 20px 20px 60px; }
h1 { margin: 0; font-size: 22px; line-height: 1.25; overflow-wrap: anywhere; }
h2 { margin: 28px 0 8px; font-size: 16px; }
h3 { margin: 0; font-size: 14px; overflow-wrap: anywhere; }
h4 { margin: 0 0 4px; font-size: 13px; }
h5 { margin: 8px 0 2px; font-size: 13px; font-weight: 600; }
p { margin: 4px 0; }
a { color: var(--link); }
.soft { color: var(--soft); }
.good { color: var(--good); }
.bad { color: var(--bad); }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 1px; }
header p { overflow-wrap: anywhere; font-size: 12px; }
.verdict { display: inline-block; margin-left: 6px; padding: 1px 9px; border: 1.5px solid; border-radius: 99px; font-size: 13px; vertical-align: 3px; white-space: nowrap; }
.passed { color: var(--good); }
.failed { color: var(--bad); }
.tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(150px, 1fr)); margin: 14px 0 0; border: 1px solid var(--line); border-radius: 6px; overflow: hidden; }
.tiles > div { padding: 8px 12px; box-shadow: 1px 1px 0 var(--line); }
.tiles dt { color: var(--soft); font-size: 12px; }
.tiles dd { margin: 0; font-size: 17px; font-weight: 600; }
.tiles dd.soft { font-size: 12px; font-weight: 400; }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 6px; }
table { border-collapse: collapse; width: 100%; }
th, td { padding: 4px 7px; text-align: start; vertical-align: top; font-weight: 400; }
thead th { color: var(--soft); font-size: 12px; vertical-align: bottom; }
.scroll tbody tr { border-top: 1px solid var(--line); }
.scroll th, .scroll td { padding-inline: 5px; }
.scroll .number { white-space: normal; }
.scroll td:first-child { min-width: min(150px, 36vw); max-width: 340px; overflow-wrap: anywhere; }
.wide { display: inline-block; min-width: 200px; }
.scroll.small:not(:has(.wide)) { max-width: 640px; }
.number { text-align: end; white-space: nowrap; }
thead button { all: unset; cursor: pointer; }
thead button:focus-visible { outline: 2px solid var(--focus); }
thead button::after { content: "↕"; margin-inline-start: 3px; opacity: .35; }
[aria-sort=ascending] button::after { content: "↑"; opacity: 1; }
[aria-sort=descending] button::after { content: "↓"; opacity: 1; }
details { margin: 6px 0; }
summary { cursor: pointer; }
.run { border: 1px solid var(--line); border-radius: 6px; padding: 0 14px; }
.run > summary { display: flex; gap: 4px 16px; align-items: baseline; justify-content: space-between; flex-wrap: wrap; margin: 0 -14px; padding: 8px 14px; list-style: none; }
.run > summary::-webkit-details-marker { display: none; }
.run > summary h3::before { content: "▸"; display: inline-block; width: 16px; color: var(--soft); }
.run[open] > summary h3::before { content: "▾"; }
.run[open] { padding-bottom: 14px; }
.figures { font-weight: 600; }
.figures .soft { font-weight: 400; margin-inline-start: 8px; }
.box { padding: 6px 10px; background: var(--panel); border-radius: 5px; overflow-wrap: anywhere; }
audio { display: block; width: 100%; height: 36px; margin: 2px 0 8px; }
.wave { position: relative; height: 84px; background: var(--panel); border-radius: 5px; overflow: hidden; cursor: pointer; }
.wave.bare { height: 24px; }
.strip > .wave { width: calc(var(--seconds) * var(--zoom)); border-radius: 0; }
.wave svg { position: absolute; inset: 0 0 16px; width: 100%; height: calc(100% - 16px); }
.wave path { fill: var(--wave); }
.band { position: absolute; top: 0; bottom: 16px; }
.silence { background: var(--silence); }
.hole, .inaudible { background: repeating-linear-gradient(135deg, var(--hole) 0 4px, transparent 4px 8px); }
.tick { position: absolute; height: 4px; min-width: 2px; border-radius: 1px; }
.tick.substitution { bottom: 11px; background: var(--substitution); }
.tick.deletion { bottom: 6px; background: var(--deletion); }
.tick.insertion { bottom: 1px; background: var(--insertion); }
.head { position: absolute; top: 0; bottom: 0; border-inline-start: 1.5px solid var(--bad); pointer-events: none; }
.strip { --zoom: 160px; position: relative; overflow-x: auto; margin-top: 6px; border: 1px solid var(--line); border-radius: 5px; }
.lane { position: relative; height: 80px; width: calc(var(--seconds) * var(--zoom)); min-width: 100%; }
.lane > * { position: absolute; left: calc(var(--ts) * var(--zoom)); }
.part { top: 0; height: 80px; width: calc(var(--length) * var(--zoom)); content-visibility: auto; pointer-events: none; }
.part > * { position: absolute; left: calc((var(--ts) - var(--from)) * var(--zoom)); pointer-events: auto; }
.second { top: 0; height: 80px; padding: 0 0 0 3px; border-inline-start: 1px solid var(--line); color: var(--soft); font-size: 10px; pointer-events: none; }
.second.five { font-weight: 700; }
.word { height: 24px; width: calc(var(--length) * var(--zoom) - 1px); min-width: 4px; padding: 0 1px; border: 1px solid transparent; border-radius: 3px; background: none; color: inherit; font: 12px/21px system-ui, sans-serif; text-align: start; white-space: nowrap; unicode-bidi: isolate; cursor: pointer; }
.word.hit { overflow: hidden; }
.word bdi { display: block; overflow: hidden; }
.word:hover, .word:focus-visible { z-index: 2; overflow: visible; width: max-content; min-width: calc(var(--length) * var(--zoom)); background-color: var(--page); border-color: var(--soft); }
.word:focus-visible { outline-offset: 0; }
.said { top: 18px; color: var(--soft); }
.heard { top: 48px; background-color: var(--panel); }
.word.substitution { color: var(--substitution); background-color: var(--substitution-back); border: 1px dashed; }
.word.deletion { color: var(--deletion); background-color: var(--deletion-back); border: 1px solid; text-decoration: line-through; }
.word.insertion { color: var(--insertion); background-color: var(--insertion-back); border: 1px solid; text-decoration: underline; }
.word[data-mark]:not([data-mark=""])::after { content: attr(data-mark); position: absolute; top: -8px; right: -5px; width: 14px; border: 1px solid; border-radius: 7px; background: var(--page); font-size: 11px; font-weight: 700; line-height: 12px; text-align: center; text-decoration: none; }
.tools { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; margin: 8px 0; }
.tool { padding: 2px 9px; border: 1px solid var(--line); border-radius: 5px; background: var(--panel); color: inherit; font: inherit; cursor: pointer; }
.tool:hover { border-color: var(--soft); }
.filter { margin-inline-start: auto; cursor: pointer; }
.differences { max-height: 480px; overflow-y: auto; overflow-wrap: anywhere; }
.paragraph { content-visibility: auto; contain-intrinsic-size: auto 60px; display: flex; gap: 10px; align-items: baseline; }
.paragraph p { flex: 1; min-width: 0; max-width: 90ch; line-height: 1.75; margin: 2px 0; }
.time { flex: none; border-color: transparent; background: none; padding: 0; color: var(--soft); font-size: 12px; }
.step { border-radius: 3px; }
.differences .step { cursor: pointer; }
.step.now { background: var(--now); }
.step del, .step ins { padding: 0 3px; border-radius: 3px; }
.step del { color: var(--deletion); background: var(--deletion-back); text-decoration: line-through; }
.step ins { color: var(--insertion); background: var(--insertion-back); text-decoration: underline; text-underline-offset: 2px; }
.step.substitution del, .step.substitution ins { color: var(--substitution); background: var(--substitution-back); }
.step.substitution del { border-radius: 3px 0 0 3px; }
.step.substitution ins { border-radius: 0 3px 3px 0; font-weight: 600; }
.skip { display: none; color: var(--soft); }
.errors-only .skip { display: inline; }
.errors-only .far { display: none; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 10px; align-items: center; font-size: 12px; }
.swatch { display: inline-block; width: 22px; height: 12px; border: 1px solid var(--line); border-radius: 2px; }
.panels { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(320px, 100%), 1fr)); gap: 14px 28px; margin-top: 12px; padding-top: 10px; border-top: 1px solid var(--line); }
.panels section { min-width: 0; }
.panels th, .panels td { padding: 1px 6px 1px 0; font-size: 13px; overflow-wrap: anywhere; }
.panels tr > * + * { padding: 1px 0 1px 6px; }
.panels th { min-width: 66px; }
.panels ul { margin: 4px 0; padding-inline-start: 18px; font-size: 13px; overflow-wrap: anywhere; }
.panels pre { margin: 0; max-height: 240px; overflow-y: auto; white-space: pre-wrap; overflow-wrap: anywhere; font-size: 12px; }
@media (max-width: 600px) {
  main { padding: 12px 10px 40px; }
  .tiles { grid-template-columns: repeat(auto-fill, minmax(130px, 1fr)); }
  .run { padding: 0 8px; }
  .run > summary { margin: 0 -8px; padding: 8px; }
  .paragraph { gap: 6px; }
  .panels th { min-width: 54px; }
}
`;
