// Names of notes, and numbers as the page shows them.

const noteNames = ["C", "C♯", "D", "E♭", "E", "F", "F♯", "G", "A♭", "A", "B♭", "B"];
const noteName = (key) => noteNames[key % 12] + (Math.floor(key / 12) - 1);
const isBlack = (key) => [1, 3, 6, 8, 10].includes(key % 12);
const clamp = (value, low, high) => Math.min(high, Math.max(low, value));
