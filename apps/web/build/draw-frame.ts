/** CSS backgrounds of the sidebar and the top bar, and colours of page and cards. */
export type ShellPlaceholderColours = readonly [side: string, top: string, page: string, card: string]

type FramePlan = {
  /** Colours by theme name. */
  frames: Record<string, ShellPlaceholderColours>
  theme: string
  storagePrefix: string
}

/**
 * Draws a coloured placeholder of the frame until the shell renders, if the user is signed in. Its source is copied
 * into the page, so it must not use anything outside of itself.
 */
export function drawShellPlaceholder({ frames, theme, storagePrefix }: FramePlan): void {
  try {
    const recall = (name: string) =>
      JSON.parse(sessionStorage.getItem(storagePrefix + name) ?? localStorage.getItem(storagePrefix + name) ?? 'null')
    if (!recall('token')?.content || recall('lock') || /^\/(login|lock|40|50)/.test(location.pathname)) return
    const own = String(recall('theme')?.content).replace('theme-', '')
    const [side, top, page, card] = frames[own] ?? frames[theme]!
    const width = recall('collapsed')?.content ? 64 : 232
    const wide = `${side} 0 0/${width}px 100%,${top} 0 0/100% 56px`
    const cards = `linear-gradient(${card},${card}) ${width + 16}px 112px/calc(100% - ${width + 32}px) 100%`
    const style = document.createElement('style')
    style.textContent =
      `#root:empty{min-height:100vh;background:${wide},${cards},${page};background-repeat:no-repeat}` +
      `@media(max-width:767px){#root:empty{background:${top} 0 0/100% 56px no-repeat,${page}}}`
    document.head.append(style)
  } catch {
    // Without the placeholder the page is blank for a moment.
  }
}
