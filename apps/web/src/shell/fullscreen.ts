import { useSyncExternalStore } from 'react'

function subscribe(changed: () => void) {
  document.addEventListener('fullscreenchange', changed)
  return () => document.removeEventListener('fullscreenchange', changed)
}

/** Returns whether the page is in full screen, and a function to toggle it. */
export function useFullscreen() {
  const full = useSyncExternalStore(subscribe, () => !!document.fullscreenElement)
  const toggle = () => {
    // Phones without full screen reject the call, which is ignored.
    const done = full ? document.exitFullscreen?.() : document.documentElement.requestFullscreen?.()
    done?.catch(() => {})
  }
  return [full, toggle] as const
}
