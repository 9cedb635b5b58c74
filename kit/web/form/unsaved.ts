import { useInsertionEffect } from 'react'

const open = new Map<symbol, { tab: string; what: string }>()

function warn(event: BeforeUnloadEvent) {
  event.preventDefault()
}

/**
 * Says that work is unsaved on screen: the browser asks before it closes the page, and the shell may ask before it
 * closes a tab.
 */
export function useReportUnsavedWork(isUnsaved: boolean, what: string, tab: string) {
  // A tab in the background is hidden, and its other effects are undone with it; what was typed there is still unsaved.
  useInsertionEffect(() => {
    if (!isUnsaved) return
    const mine = Symbol(what)
    open.set(mine, { tab, what })
    if (open.size === 1) addEventListener('beforeunload', warn)
    return () => {
      open.delete(mine)
      if (!open.size) removeEventListener('beforeunload', warn)
    }
  }, [isUnsaved, what, tab])
}

/** What is unsaved now, everywhere or in one tab. */
export const listUnsavedWork = (tab?: string): string[] =>
  [...open.values()].filter((work) => tab === undefined || work.tab === tab).map(({ what }) => what)
