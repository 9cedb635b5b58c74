import { screenSizeOfWidth } from '../screen.ts'
import { OPEN_LAYER_SELECTOR } from './focus-restore.ts'

/** https://html.spec.whatwg.org/multipage/nav-history-apis.html#the-navigateevent-interface, as far as it is asked. */
type Traversal = Event & { navigationType: string; destination: { index: number } }
type Navigation = EventTarget & { currentEntry: { index: number } | null }

/**
 * On a phone the way back closes what lies on top of the page, as it does in every app there, and leaves the page once
 * nothing does. What is open decides what closing means: a form that was typed in asks first. Browsers that do not tell
 * of a way back go the page before, as ever.
 *
 * @returns How to stop.
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
