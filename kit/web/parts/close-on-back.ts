import { screenSizeOfWidth } from '../base/screen.ts'
import { OPEN_LAYER_SELECTOR } from './focus-restore.ts'

/**
 * The parts used here of the browser's Navigation API, which TypeScript does not declare:
 * https://html.spec.whatwg.org/multipage/nav-history-apis.html#the-navigateevent-interface
 */
type Traversal = Event & { navigationType: string; destination: { index: number } }
type Navigation = EventTarget & { currentEntry: { index: number } | null }

/**
 * On a phone, makes the browser's "back" close the topmost dialog or drawer instead of leaving the page. The layer
 * itself decides how it closes: a form with input asks first. Browsers without the Navigation API leave the page as
 * usual.
 *
 * @returns A function to stop.
 */
export function closeLayerOnBackNavigation(): () => void {
  const { navigation } = window as { navigation?: Navigation }
  const onNavigate = (event: Event) => {
    const { navigationType, destination, cancelable } = event as Traversal
    const isBack = navigationType === 'traverse' && destination.index < (navigation!.currentEntry?.index ?? 0)
    if (!isBack || !cancelable || screenSizeOfWidth(innerWidth) > 0) return
    const top = [...document.querySelectorAll<HTMLElement>(OPEN_LAYER_SELECTOR)].findLast(
      (layer) => layer.getClientRects().length,
    )
    if (!top) return
    event.preventDefault()
    if (top instanceof HTMLDialogElement) top.close()
    else document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
  }
  navigation?.addEventListener('navigate', onNavigate)
  return () => navigation?.removeEventListener('navigate', onNavigate)
}
