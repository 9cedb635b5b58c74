import { useEffect, useRef } from 'react'
import { create } from 'zustand'
import type { LocalizedText } from './language.tsx'

type Entry = { keys: string; words: LocalizedText; run: () => void; typing: boolean }

const entries = new Set<Entry>()
let pending = ''
let pendingUntil = 0

/** The keyboard shortcuts that work on the screen now, for the "?" list. */
export const useActiveShortcuts = create<{ list: { keys: string; words: LocalizedText }[] }>()(() => ({ list: [] }))

function publish() {
  const seen = new Map([...entries].map((entry) => [entry.keys, entry.words]))
  useActiveShortcuts.setState({ list: [...seen].map(([keys, words]) => ({ keys, words })) })
}

function nameOf(event: KeyboardEvent) {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
  return `${event.ctrlKey || event.metaKey ? 'mod+' : ''}${event.altKey ? 'alt+' : ''}${key}`
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName))

function listen(event: KeyboardEvent) {
  if (event.defaultPrevented || event.isComposing || event.repeat) return
  const name = nameOf(event)
  const typing = isTyping(event.target)
  const sequence = Date.now() < pendingUntil ? `${pending} ${name}` : name
  const latest = [...entries].reverse()
  const found = latest.find((entry) => entry.keys === sequence) ?? latest.find((entry) => entry.keys === name)
  pending = name
  pendingUntil = Date.now() + 900
  if (!found || (typing && !found.typing)) return
  // While a dialog is open, only shortcuts with `typing` work.
  if (!found.typing && document.querySelector('dialog[open], .ant-modal-wrap:not([style*="display: none"])')) return
  event.preventDefault()
  pendingUntil = 0
  found.run()
}

if (typeof document !== 'undefined') document.addEventListener('keydown', listen)

/**
 * Registers a keyboard shortcut while the component is on screen; it also appears in the "?" list. `g h` is a sequence,
 * `mod+k` Ctrl or Command with K. `typing` lets it work inside inputs too.
 */
export function useKeyboardShortcut(
  keys: string,
  words: LocalizedText,
  run: () => void,
  options: { typing?: boolean } = {},
) {
  const latest = useRef(run)
  useEffect(() => {
    latest.current = run
  })
  const { zh, en } = words
  const typing = !!options.typing
  useEffect(() => {
    const entry: Entry = { keys, words: { zh, en }, run: () => latest.current(), typing }
    entries.add(entry)
    publish()
    return () => {
      entries.delete(entry)
      publish()
    }
  }, [keys, zh, en, typing])
}
