// The mixer of a song: for each channel mute, solo, level and preset.

import { soundFont } from "./audition.js";
import { $, make } from "./page.js";
import { presets } from "./play.js";
import { changeSong } from "./song.js";

let rows = [];

const levelText = (level) => `${level.toFixed(1)} dB`.replace("-", "−");
const nameOf = ({ port, channel }) => (port ? `channel ${port}:${channel}` : `channel ${channel}`);
const place = ({ port, channel }) => ({ ...(port !== undefined && { port }), channel });
const change = (channel, what, values, earlier) =>
  changeSong(`${what} of ${nameOf(channel)}`, { channels: [{ ...place(channel), ...values }] }, { channels: [{ ...place(channel), ...earlier }] });
const presetValue = ({ bank, program }) => `${bank}:${program}`;

// The presets that a channel can play: drums are bank 128, whose bank a song does not name.
function presetOptions(song, channel) {
  const isOwn = song.soundFont === soundFont();
  const own = isOwn ? presets.filter(({ bank }) => (channel.isRhythm ? bank === 128 : bank !== undefined && bank < 128)) : [];
  const options = own.length > 0 ? own.map(({ bank, program, name }) => [`${bank}:${program}`, name]) : Array.from({ length: 128 }, (_, program) => [`${channel.isRhythm ? 128 : 0}:${program}`, `Program ${program + 1}`]);
  const current = presetValue(channel), named = options.find(([value]) => value === current);
  if (named && channel.name) named[1] = channel.name;
  if (!options.some(([value]) => value === current)) options.unshift([current, channel.name || current]);
  return options;
}

function makeRow(song, first) {
  let channel = first;
  const name = nameOf(channel);
  const toggle = (text, label, field) => {
    const button = make("button", { type: "button", textContent: text, "aria-label": `${label} ${name}`, title: label, className: field });
    button.onclick = () => change(channel, label, { [field]: !channel[field] }, { [field]: channel[field] });
    return button;
  };
  const mute = toggle("M", "Mute", "isMuted"), solo = toggle("S", "Solo", "isSoloed");
  const level = make("input", { type: "range", min: -60, max: 6, step: 0.5, "aria-label": `Level of ${name}`, title: "A double click resets the level" });
  const value = make("span", { className: "number dim" });
  const setLevel = (level) => change(channel, "Level", { level }, { level: channel.level });
  level.addEventListener("change", () => setLevel(Number(level.value)));
  level.addEventListener("dblclick", () => setLevel(0));
  const select = make("select", { "aria-label": `Preset of ${name}` }, ...presetOptions(song, channel).map(([value, textContent]) => make("option", { value, textContent })));
  select.addEventListener("change", () => {
    const [bank, program] = select.value.split(":").map(Number);
    const numbers = (channel) => ({ bank: channel.bank === 128 ? 0 : channel.bank, program: channel.program });
    change(channel, "Preset", { bank: bank === 128 ? 0 : bank, program }, channel.isPresetChanged ? numbers(channel) : { usesFilePreset: true });
  });
  const reset = make("button", { type: "button", textContent: "File’s preset", "aria-label": `Preset of the file for ${name}` });
  reset.onclick = () => change(channel, "Preset", { usesFilePreset: true }, { bank: channel.bank === 128 ? 0 : channel.bank, program: channel.program });
  const item = make("li", { className: "channel" },
    make("span", { className: "channel-number number" }, channel.port ? `${channel.port}:${channel.channel}` : `${channel.channel}`), mute, solo,
    make("span", { className: "channel-level" }, level, value), make("span", { className: "channel-preset" }, select, reset), make("span", { className: "dim number notes", textContent: `${channel.notes} notes` }));
  const show = (next) => {
    channel = next;
    mute.setAttribute("aria-pressed", `${channel.isMuted}`);
    solo.setAttribute("aria-pressed", `${channel.isSoloed}`);
    if (!level.matches(":active")) level.value = channel.level;
    value.textContent = levelText(channel.level);
    level.setAttribute("aria-valuetext", value.textContent);
    if (document.activeElement !== select || select.value !== presetValue(channel)) select.value = presetValue(channel);
    reset.hidden = !channel.isPresetChanged;
  };
  return { item, show };
}

const isSame = (song) => rows.length === song.channels.length && rows.every((row, index) => row.key === nameOf(song.channels[index]));

// - isNew: whether it is another song, or can have other presets.
export function showMixer(song, isNew) {
  if (isNew && !($("song-mixer").contains(document.activeElement) && isSame(song))) {
    rows = song.channels.map((channel) => ({ key: nameOf(channel), ...makeRow(song, channel) }));
    $("song-mixer").replaceChildren(...rows.map((row) => row.item));
  }
  const hasSolo = song.channels.some((channel) => channel.isSoloed);
  song.channels.forEach((channel, index) => {
    rows[index]?.show(channel);
    rows[index]?.item.classList.toggle("silenced", channel.isMuted || (hasSolo && !channel.isSoloed));
  });
}
