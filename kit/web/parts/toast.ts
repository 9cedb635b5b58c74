type Kind = 'error' | 'success' | 'info' | 'warning'
/** `key`: takes the place of the message that has it. `act`: what can be done about it. */
type More = { key?: string; act?: { label: string; run: () => void } }
type Sink = (kind: Kind, text: string, more?: More) => void

/** Before the shell has put its own in place, messages go to a plain live region of the document. */
const plain: Sink = (kind, text) => {
  const region = document.createElement('div')
  region.className = `plain-toast plain-toast-${kind}`
  region.setAttribute('role', kind === 'error' ? 'alert' : 'status')
  region.textContent = text
  document.body.append(region)
  setTimeout(() => region.remove(), 4000)
}

let sink = plain

/** The shell says how messages are shown while it is on screen. */
export function setToastHandler(next: Sink | undefined) {
  sink = next ?? plain
}

/** Short messages at the top of the screen, callable from anywhere. */
export const toast = {
  error: (text: string) => sink('error', text),
  success: (text: string) => sink('success', text),
  info: (text: string, more?: More) => sink('info', text, more),
  warning: (text: string) => sink('warning', text),
}
