// A WebSocket with the requests of the control socket.

import { codeOf } from "./codes.js";

// The server does not know the secret of the link, or the key of the page.
export const WRONG_SERVER = "wrongServer";

export class Connection {
  constructor(role) {
    this.role = role;
    this.requests = new Map();
    this.number = 0;
  }

  // Opens a WebSocket and proves what the page knows. Resolves when the server has admitted the page.
  open(credentials) {
    this.socket = new WebSocket(`ws://${location.host}/control`);
    return new Promise((resolve, reject) => {
      this.socket.onopen = () => {
        this.prove(credentials)
          .then(async (welcome) => {
            await this.request("hello", {
              protocol: { minimum: 2, maximum: 2 },
              features: ["files", "settings", "panic", "scenes", "take", "controls", "song"],
              peer: { name: this.role, processID: 0 },
            });
            resolve(welcome);
          })
          .catch(reject);
      };
      this.socket.onmessage = (event) => this.receive(JSON.parse(event.data));
      this.socket.onclose = (event) => {
        const error = Object.assign(new Error(event.reason || "The connection has ended."), { code: event.code });
        reject(error);
        for (const request of this.requests.values()) request.reject(error);
        this.requests.clear();
        this.onclose?.(event);
      };
    });
  }

  // No secret is sent. The server proves first that it knows the secret of the link, or what it gave this page before: another
  // program may listen here after the server has ended, and could pass on what the page sends.
  async prove({ secret, key, password }) {
    const number = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    const greeting = await this.request("panel.hello", { number, ...(key && { key: key.name }) });
    const code = (side, key) => codeOf(key, `portative panel ${side}\n${location.host}\n${number}\n${greeting.number}`);
    if (password) return this.request("panel.open", { password: code("password", password) });
    const known = key ? key.key : secret;
    if (greeting.code !== code("server", known)) {
      this.socket.close();
      throw Object.assign(new Error("The server is not the one of this link."), { code: WRONG_SERVER });
    }
    return this.request("panel.open", { code: code("page", known) });
  }

  receive(message) {
    if (message.method) return this.onnotification?.(message.method, message.params);
    const request = this.requests.get(message.id);
    if (!request) return;
    this.requests.delete(message.id);
    if (message.error) request.reject(Object.assign(new Error(message.error.message), { code: message.error.code }));
    else request.resolve(message.result);
  }

  request(method, params) {
    if (this.socket.readyState !== WebSocket.OPEN) return Promise.reject(new Error("The server is not connected."));
    const id = ++this.number;
    this.socket.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve, reject) => this.requests.set(id, { resolve, reject }));
  }

  notify(method, params) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ method, params }));
  }

  // Requests a whole list, which may need several messages.
  async list(method, params = {}) {
    const items = [];
    for (;;) {
      const part = await this.request(method, { ...params, offset: items.length });
      items.push(...part.items);
      if (items.length >= part.total || part.items.length === 0) return { ...part, items };
    }
  }

  close() { this.socket?.close(); }
}
