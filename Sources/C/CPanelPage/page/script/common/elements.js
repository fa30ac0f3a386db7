"use strict";
// The panel of a Portative server: a client of the control socket, over a WebSocket. Elements of the page.

const $ = (id) => document.getElementById(id);
const make = (tag, properties = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in element && !name.includes("-")) element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
};
