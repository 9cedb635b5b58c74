import { useInsertionEffect } from 'react'

const open = new Map<symbol, { tab: string; what: string }>()

function warn(event: BeforeUnloadEvent) {
  event.preventDefault()
}

/**
 * Registers unsaved work while `isUnsaved`: the browser then asks before the page closes, the shell before the tab
 * does.
 */
export function useReportUnsavedWork(isUnsaved: boolean, what: string, tab: string) {
  // Not a normal effect: those are undone while a tab is in the background, where its input is still unsaved.
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

/** Returns the names of unsaved work, everywhere or in one tab. */
export const listUnsavedWork = (tab?: string): string[] =>
  [...open.values()].filter((work) => tab === undefined || work.tab === tab).map(({ what }) => what)
