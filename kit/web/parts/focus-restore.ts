/**
 * Restores the keyboard focus. When the focused element goes away (a dialog closes, a menu entry is chosen, a row is
 * removed, a page is left) the browser moves the focus to the top of the document. This code moves it back to the last
 * focused place that still exists: the same element, its row, or the row that is now at that position.
 */

/** Place of a focused element in a row: the row's key, its position in the table, and the element's in the row. */
type Row = { key: string; at: number; nth: number; table: WeakRef<HTMLElement> }
type Step = {
  element: WeakRef<HTMLElement>
  page?: WeakRef<Element>
  row?: Row
  /** The element was clicked but cannot take the focus. */
  isHit?: boolean
}

const REMEMBERED = 40
const TRIES = 40
const AGAIN_MS = 50
const ROW = 'tr[data-row-key], li[data-row-key]'
const TABLE = '.kit-table, .kit-list-rows'
const PAGE = '.page-scroll'
/** Selector of what is open above a page: dialogs and drawers. */
export const OPEN_LAYER_SELECTOR = '.ant-modal-wrap, .ant-drawer-open, dialog[open]'
/** Selector of the elements that Tab reaches. */
export const FOCUSABLE_SELECTOR =
  'a[href], button:not(:disabled), input:not(:disabled), select, textarea, [tabindex="0"]'

let trail: Step[] = []
let frame = 0
let tries = 0

/** Starts restoring the focus; returns a function to stop. */
export function startFocusRestore(): () => void {
  const changes = new MutationObserver(checkFocus)
  document.addEventListener('focusin', onFocus)
  document.addEventListener('focusout', checkFocus)
  document.addEventListener('pointerdown', onRowPointerDown, true)
  changes.observe(document.body, { childList: true, subtree: true })
  return () => {
    document.removeEventListener('focusin', onFocus)
    document.removeEventListener('focusout', checkFocus)
    document.removeEventListener('pointerdown', onRowPointerDown, true)
    changes.disconnect()
    trail = []
  }
}

/**
 * Returns an element in a row to focus: the one at the same position as before, otherwise the button that opens the
 * row, otherwise the first focusable one.
 */
const stopIn = (row: Element, nth = -1): HTMLElement | undefined => {
  const stops = [...row.querySelectorAll<HTMLElement>(FOCUSABLE_SELECTOR)].filter(isFocusableNow)
  return stops[nth] ?? stops.find((one) => one.matches('.kit-open, button.kit-list-row-body')) ?? stops[0]
}

export const isFocusableNow = (element: HTMLElement | undefined): element is HTMLElement =>
  !!element?.isConnected &&
  element.checkVisibility({ visibilityProperty: true }) &&
  !element.matches(':disabled') &&
  !element.closest('[inert]')

function onFocus({ target }: FocusEvent) {
  const last = trail.at(-1)
  // A click moves the focus to the element around the clicked one; that is not a new place.
  const isAround = last?.isHit && target instanceof Node && target.contains(last.element.deref() ?? null)
  if (target instanceof HTMLElement && !isAround) remember(target)
}

/**
 * Remembers a clicked row that takes no focus itself, so that the focus returns to it after what it opened is closed.
 */
function onRowPointerDown({ target }: PointerEvent) {
  if (target instanceof HTMLElement && !target.closest(FOCUSABLE_SELECTOR)) remember(target, true)
}

function remember(element: HTMLElement, isHit?: boolean) {
  const page = element.closest(PAGE)
  trail = [
    ...trail.slice(1 - REMEMBERED),
    { element: new WeakRef(element), page: page ? new WeakRef(page) : undefined, row: rowOf(element), isHit },
  ]
}

function rowOf(element: HTMLElement): Row | undefined {
  const row = element.closest<HTMLElement>(ROW)
  const table = row?.closest<HTMLElement>(TABLE)
  if (!row || !table) return undefined
  const stops = [...row.querySelectorAll<HTMLElement>(FOCUSABLE_SELECTOR)].filter(isFocusableNow)
  return {
    key: row.dataset.rowKey!,
    at: rowsOf(table).indexOf(row),
    nth: stops.indexOf(element),
    table: new WeakRef(table),
  }
}

const rowsOf = (table: Element) =>
  [...table.querySelectorAll<HTMLElement>(ROW)].filter((row) => row.closest(TABLE) === table)

/**
 * Restores the focus in the next frame, because code that removes a focused element on purpose then focuses another one
 * itself.
 */
function checkFocus() {
  if (document.activeElement !== document.body || frame) return
  frame = requestAnimationFrame(() => {
    frame = 0
    if (document.activeElement === document.body) restoreFocus()
  })
}

/** Tries again later: between two pages there is a moment without a page. */
function retryRestore() {
  if (tries++ < TRIES) setTimeout(checkFocus, AGAIN_MS)
  else tries = 0
}

function restoreFocus() {
  const last = trail.at(-1)
  // The last element is still there, so the focus was dropped on purpose, or nothing had it.
  if (!last || isFocusableNow(last.element.deref())) return
  const layer = [...document.querySelectorAll(OPEN_LAYER_SELECTOR)].filter((one) => one.checkVisibility()).at(-1)
  const page = [...document.querySelectorAll<HTMLElement>(PAGE)].find((one) => one.checkVisibility())
  if (!page && !layer) return retryRestore()
  tries = 0
  const place = lastPlaceIn(page, layer)
  if (place) return place.focus({ preventScroll: isInSight(place) })
  const rest = layer?.querySelector<HTMLElement>('[role=dialog]') ?? page
  rest?.focus({ preventScroll: true })
}

/** Returns the last remembered place that still exists on the shown page, inside the topmost layer. */
function lastPlaceIn(page: HTMLElement | undefined, layer: Element | undefined): HTMLElement | undefined {
  const before = trail.at(-1)?.page
  const isLeft = before !== undefined && before.deref() !== page
  let isHandWork = false
  for (const step of trail.toReversed()) {
    isHandWork ||= !!step.isHit
    // After a change of page, places outside the new page do not count.
    if (isLeft && step.page?.deref() !== page) continue
    const place = placeOf(step)
    // A user who went on by mouse or touch does not want a former input focused, and the keyboard of a phone opened.
    if (!place || (layer && !layer.contains(place)) || (isHandWork && place.matches('input, textarea'))) continue
    return place
  }
  return undefined
}

function placeOf({ element, row, isHit }: Step): HTMLElement | undefined {
  const known = element.deref()
  if (!isHit && isFocusableNow(known)) return known
  const table = row?.table.deref()
  if (!row || !isFocusableNow(table)) return undefined
  const rows = rowsOf(table)
  const same = rows.find((one) => one.dataset.rowKey === row.key)
  if (same) return stopIn(same, isHit ? undefined : row.nth)
  const neighbour = rows[Math.min(row.at, rows.length - 1)]
  return neighbour && stopIn(neighbour)
}

function isInSight(element: HTMLElement) {
  const { top, bottom } = element.getBoundingClientRect()
  return top >= 0 && bottom <= innerHeight
}
