/** The page's one style sheet: system fonts, two grounds, wide tables that scroll in their box, and print. */
import { palette } from "../views/render/look.ts";

const colours = (ground: "light" | "dark") => palette.map((pair, place) => `--run-${place}:${pair[ground]}`).join(";");

export const style = `
:root{color-scheme:light dark;--ground:#fff;--raised:#f7f7f5;--ink:#1b1c1e;--muted:#5d6067;--line:#e3e3df;--grid:#ecece8;
--link:#0b5cad;--gold:#7a5200;--gold-ground:#fdf3d8;--good:#0a6b4c;--good-ground:#e4f4ec;--bad:#a3341f;--bad-ground:#fbeae5;${colours("light")}}
@media screen and (prefers-color-scheme:dark){:root{--ground:#111315;--raised:#191c1f;--ink:#e9e9e6;--muted:#a3a8b0;--line:#2c3035;--grid:#262a2e;
--link:#7cb8f5;--gold:#f0cf7c;--gold-ground:#33290f;--good:#6fd6ab;--good-ground:#12291f;--bad:#ff9f8a;--bad-ground:#351a14;${colours("dark")}}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--ground);color:var(--ink);font:15px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;overflow-wrap:anywhere}
.page{max-width:1240px;margin:0 auto;padding:0 32px 80px}
a{color:var(--link);text-underline-offset:2px;text-decoration-thickness:1px}
a:focus-visible,summary:focus-visible,.scroll:focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:4px}
h1,h2,h3,h4,h5,p,ul,ol,dl,dd,figure{margin:0;padding:0}
h1{font-size:32px;line-height:1.2;letter-spacing:-.02em;font-weight:650;text-wrap:balance}
h2{font-size:22px;line-height:1.3;letter-spacing:-.012em;font-weight:650}
h3{font-size:16px;line-height:1.35;font-weight:650}
h4{font-size:12px;line-height:1.4;font-weight:600;color:var(--muted)}
.muted{color:var(--muted)}
.small{font-size:13px;line-height:1.5}
code,.id{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.88em}
header{padding:44px 0 28px;border-bottom:1px solid var(--line)}
.brand{font-size:13px;font-weight:600;color:var(--muted);margin-bottom:10px;display:flex;align-items:center;gap:8px}
.lede strong{font-weight:650}
.lede{font-size:18px;line-height:1.5;margin-top:12px;max-width:74ch}
.facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(150px,1fr));gap:14px 24px;margin-top:26px}
.facts dt{font-size:12px;color:var(--muted);line-height:1.4}
.facts dd{font-size:14px;line-height:1.45}
nav{display:flex;flex-wrap:wrap;gap:4px 18px;padding:12px 0;font-size:14px;border-bottom:1px solid var(--line)}
nav a{text-decoration:none}
nav a:hover{text-decoration:underline}
section{padding-top:40px}
section>.note,.block>.note{color:var(--muted);max-width:78ch;margin-top:6px;font-size:14px}
.caution{margin-top:10px;padding:9px 14px;border-radius:8px;background:var(--gold-ground);color:var(--gold);font-size:14px}
.benchmark{padding-top:48px}
.block{margin-top:30px;min-width:0}
.plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,340px),1fr));gap:36px 44px;margin-top:22px;align-items:start}
figure{min-width:0}
figcaption{margin-bottom:8px}
figcaption p{color:var(--muted);font-size:13px;line-height:1.45;margin-top:2px}
.plot{display:block;width:100%;max-width:470px;height:auto}
.plot text{white-space:pre}
.plot [aria-label$="tick label"],.plot [aria-label$="axis label"]{fill:var(--muted)}
.plot [aria-label$="axis tick"]{stroke:var(--line)}
.sign{display:inline-block;vertical-align:-2px;margin-right:6px;flex:none;width:14px;height:14px}
.legend{display:flex;flex-wrap:wrap;gap:4px 20px;margin-top:14px;font-size:14px;list-style:none}
.legend li{display:flex;align-items:center;min-width:0}
.scroll{overflow-x:auto;margin-top:14px;border:1px solid var(--line);border-radius:8px;background:linear-gradient(90deg,var(--ground) 30%,transparent) 0 0/40px 100% no-repeat local,linear-gradient(270deg,var(--ground) 30%,transparent) 100% 0/40px 100% no-repeat local,linear-gradient(270deg,var(--line),transparent) 100% 0/14px 100% no-repeat scroll}
table{border-collapse:collapse;width:100%;font-size:14px;line-height:1.4;font-variant-numeric:tabular-nums}
caption{text-align:left;padding:10px 14px 0;font-weight:600;caption-side:top}
caption span{font-weight:400;color:var(--muted);font-size:13px}
th,td{padding:8px 14px;text-align:right;vertical-align:baseline;white-space:nowrap;border-top:1px solid var(--line)}
thead th{border-top:0;font-size:12px;font-weight:600;color:var(--muted);vertical-align:bottom}
thead tr+tr th{padding-top:0}
caption+thead th{padding-top:8px}
thead td{border-top:0;padding:0}
th.group{border-left:1px solid var(--line);text-align:left;font-size:13px;color:var(--ink);white-space:normal;min-width:150px}
th[scope=row]{text-align:left;font-weight:500;position:sticky;left:0;background:var(--ground);z-index:1}
th.left,td.left{text-align:left}
.name{white-space:normal;min-width:124px;max-width:260px}
td .ci,thead .ci{display:block;font-weight:400;font-size:12px;color:var(--muted)}
td.strong{font-weight:650;font-size:15px}
.zero{color:var(--muted)}
.failures{display:grid;gap:10px;margin-top:14px}
details{border:1px solid var(--line);border-radius:8px;min-width:0}
summary{cursor:pointer;padding:11px 14px;display:grid;grid-template-columns:16px minmax(0,1fr) auto;gap:4px 10px;align-items:baseline;list-style:none;border-radius:8px}
summary::-webkit-details-marker{display:none}
summary::before{content:"";width:7px;height:7px;border-right:1.5px solid var(--muted);border-bottom:1.5px solid var(--muted);transform:rotate(-45deg);align-self:start;margin-top:8px;justify-self:center}
details[open]>summary::before{transform:rotate(45deg);margin-top:6px}
.tried{margin-top:10px}
summary:hover{background:var(--raised)}
summary .ask{font-weight:500;display:-webkit-box;-webkit-line-clamp:2;-webkit-box-orient:vertical;overflow:hidden}
details[open]>summary .ask{-webkit-line-clamp:unset;display:block}
summary .facts-line{font-size:13px;color:var(--muted);white-space:nowrap}
.case{padding:4px 16px 18px}
.asked{display:flex;flex-wrap:wrap;gap:20px 28px;align-items:flex-start;padding:8px 0 18px}
.asked .given{flex:1 1 300px;display:grid;grid-template-columns:max-content minmax(0,1fr);gap:4px 14px;align-content:start}
.given dt{color:var(--muted);font-size:13px}
.picture{max-width:200px}
.picture img{display:block;max-width:100%;max-height:150px;width:auto;height:auto;border-radius:5px;border:1px solid var(--line);background:#fff}
.picture figcaption{font-size:12px;color:var(--muted);margin:4px 0 0;line-height:1.4}
.unbroken{font-size:14px;margin-bottom:14px}
.hops{list-style:none;border-top:1px solid var(--line)}
.hop{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:0 28px;padding:14px 0;border-bottom:1px solid var(--line)}
.hop>div{min-width:0}
.column-heads{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:0 28px;padding-bottom:6px}
.case .line{display:flex;flex-wrap:wrap;gap:2px 8px;align-items:baseline;font-size:12px;color:var(--muted);margin-bottom:2px}
.case p.q{font-weight:500}
.case p.a{font-size:14px}
.case p.a span{color:var(--muted)}
.tag{font-size:12px;font-weight:600;line-height:1.5;padding:0 7px;border-radius:10px;background:var(--raised);color:var(--muted);white-space:nowrap}
.tag.good{background:var(--good-ground);color:var(--good)}
.tag.bad{background:var(--bad-ground);color:var(--bad)}
.tag.gold{background:var(--gold-ground);color:var(--gold)}
.broken{box-shadow:inset 3px 0 0 var(--bad);margin-left:-16px;padding-left:16px}
.evidence{list-style:none;display:grid;gap:8px;margin-top:8px}
.evidence li{font-size:13px;line-height:1.45;display:grid;grid-template-columns:auto minmax(0,1fr);gap:0 10px;align-items:start}
.evidence img{display:block;width:auto;height:auto;max-width:76px;max-height:64px;border-radius:4px;border:1px solid var(--line);background:#fff}
.evidence .what{grid-column:2;min-width:0}
.evidence .what:first-child{grid-column:1/-1}
.evidence .title{font-weight:600}
.evidence .id{color:var(--muted)}
.evidence .gold-one{background:var(--gold-ground);border-radius:6px;padding:6px 8px;margin:0 -8px}
.evidence p{color:var(--muted)}
.gold-one p{color:var(--ink)}
.found{margin-bottom:16px}
.found ul{list-style:none;display:grid;gap:5px;margin-top:4px;font-size:14px}
a.tag{text-decoration:none}
:target{outline:2px solid var(--link);outline-offset:4px;border-radius:4px}
.others{margin-top:14px}
.others ol{list-style:none;display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,380px),1fr));gap:16px 28px;margin-top:6px}
.others li{min-width:0}
.view .note{color:var(--muted);max-width:78ch;margin-top:6px;font-size:14px}
table.view tr.parted>*{border-top:1px solid var(--muted)}
table.view td.again{color:var(--muted)}
table.view .published>*{font-style:italic}
table.view .intervention>*{background:var(--gold-ground)}
table.view td{white-space:nowrap}
table.view td.left,table.view th.name{white-space:normal;min-width:110px;max-width:260px}
table.view sup{line-height:0;font-weight:400}
.notes{list-style:none;margin-top:10px;color:var(--muted);font-size:13px;line-height:1.5;max-width:92ch}
.glossary{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,420px),1fr));gap:10px 44px;margin-top:16px}
.glossary dt{font-weight:600;font-size:14px}
.glossary dd{font-size:14px;color:var(--muted)}
footer{margin-top:56px;padding-top:16px;border-top:1px solid var(--line);font-size:13px;color:var(--muted)}
bdi{unicode-bidi:isolate}
@media (max-width:720px){
.page{padding:0 16px 56px}
header{padding:28px 0 22px}
h1{font-size:26px}
.lede{font-size:16px}
.facts{grid-template-columns:repeat(auto-fill,minmax(140px,1fr));gap:12px 20px}
th,td{padding:8px 10px}
summary{grid-template-columns:16px minmax(0,1fr)}
summary .facts-line{grid-column:2;white-space:normal}
.hop,.column-heads{grid-template-columns:minmax(0,1fr)}
.hop>div+div{margin-top:10px;padding-left:12px;border-left:2px solid var(--line)}
.column-heads h4+h4{display:none}
.plots{gap:32px}
}
@media print{
.page{max-width:none;padding:0}
nav{display:none}
.scroll{overflow:visible;border:0}
@page{size:A4 landscape;margin:12mm}
table{font-size:11px}
thead th{font-size:10px}
th,td{padding:4px 5px}
td .ci{font-size:9px}
td.strong{font-size:11px}
th[scope=row]{position:static}
.name{min-width:110px}
th.group{min-width:0}
figure,details,.hop,tr{break-inside:avoid}
h2,h3{break-after:avoid}
}
`;
