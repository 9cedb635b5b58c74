/** Minimal browser globals for tests of browser modules that need no page. Import it before them. */
class Memory implements Storage {
  [name: string]: unknown
  get length() {
    return Object.keys(this).length
  }
  clear() {
    for (const name of Object.keys(this)) delete this[name]
  }
  getItem(name: string) {
    return Object.hasOwn(this, name) ? (this[name] as string) : null
  }
  key(index: number) {
    return Object.keys(this)[index] ?? null
  }
  removeItem(name: string) {
    delete this[name]
  }
  setItem(name: string, value: string) {
    this[name] = String(value)
  }
}

const cookies = new Map<string, string>()
const document = {
  documentElement: { dataset: {}, style: {} },
  addEventListener: () => {},
  querySelector: () => null,
  get cookie() {
    return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  },
  set cookie(text: string) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? []
    if (text.includes('max-age=0')) cookies.delete(name)
    else cookies.set(name, value)
  },
}

Object.defineProperties(globalThis, {
  localStorage: { value: new Memory(), configurable: true, writable: true },
  sessionStorage: { value: new Memory(), configurable: true, writable: true },
  document: { value: document, configurable: true, writable: true },
  location: {
    value: { protocol: 'http:', origin: 'http://shop.test', href: 'http://shop.test/' },
    configurable: true,
    writable: true,
  },
  addEventListener: { value: () => {}, configurable: true, writable: true },
  removeEventListener: { value: () => {}, configurable: true, writable: true },
})

/** Clears both storages and the cookies. */
export function freshBrowser() {
  localStorage.clear()
  sessionStorage.clear()
  cookies.clear()
}
