import { useSyncExternalStore } from 'react'

/** Returns the size class of a width: 3 from 1200 px, 2 from 992, 1 from 768, otherwise 0. */
export const screenSizeOfWidth = (width: number) => (width >= 1200 ? 3 : width >= 992 ? 2 : width >= 768 ? 1 : 0)

const queries = [768, 992, 1200]

function subscribe(changed: () => void) {
  const lists = queries.map((width) => matchMedia(`(min-width: ${width}px)`))
  for (const list of lists) list.addEventListener('change', changed)
  return () => lists.forEach((list) => list.removeEventListener('change', changed))
}

/** Returns the size class of the screen, 0 to 3; a phone is 0. */
export const useScreenSize = () =>
  useSyncExternalStore(
    subscribe,
    () => screenSizeOfWidth(innerWidth),
    () => 3,
  )
