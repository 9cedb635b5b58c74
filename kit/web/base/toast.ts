type Kind = 'error' | 'success' | 'info' | 'warning'
/** `key`: replaces the message with the same key. `act`: button of the message. */
type More = { key?: string; act?: { label: string; run: () => void } }
type Sink = (kind: Kind, text: string, more?: More) => void

/** Fallback before the shell has set its handler: shows a message in a plain live region. */
const plain: Sink = (kind, text) => {
  const region = document.createElement('div')
  region.className = `plain-toast plain-toast-${kind}`
  region.setAttribute('role', kind === 'error' ? 'alert' : 'status')
  region.textContent = text
  document.body.append(region)
  setTimeout(() => region.remove(), 4000)
}

let sink = plain

/** Sets how messages are shown, while the shell is on screen; undefined goes back to the fallback. */
export function setToastHandler(next: Sink | undefined) {
  sink = next ?? plain
}

/** Shows short messages at the top of the screen; callable from anywhere. */
export const toast = {
  error: (text: string) => sink('error', text),
  success: (text: string) => sink('success', text),
  info: (text: string, more?: More) => sink('info', text, more),
  warning: (text: string) => sink('warning', text),
}
