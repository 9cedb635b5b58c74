import { useSyncExternalStore } from 'react'

function subscribe(changed: () => void) {
  document.addEventListener('fullscreenchange', changed)
  return () => document.removeEventListener('fullscreenchange', changed)
}

/** Whether the whole screen is ours, and how to change that. */
export function useFullscreen() {
  const full = useSyncExternalStore(subscribe, () => !!document.fullscreenElement)
  const toggle = () => {
    // Phones without the ability answer with a rejection; there is nothing to do about it.
    const done = full ? document.exitFullscreen?.() : document.documentElement.requestFullscreen?.()
    done?.catch(() => {})
  }
  return [full, toggle] as const
}
