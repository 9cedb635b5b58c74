import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { freshBrowser } from '#tests/support/fresh-browser.ts'
import { deleteFormDraft, saveFormDraftDebounced, loadFormDraft } from './drafts.ts'

beforeEach(() => {
  freshBrowser()
  vi.useFakeTimers()
})
afterEach(() => vi.useRealTimers())

const typed = (remark: string) => () => ({ values: { remark }, was: { remark: '' }, version: 3 })

test('what is typed is kept a moment after the last change, with what the row had', () => {
  const takeBack = saveFormDraftDebounced('goods:1', typed('by the'))
  vi.advanceTimersByTime(100)
  expect(loadFormDraft('goods:1')).toBeUndefined()
  takeBack()
  saveFormDraftDebounced('goods:1', typed('by the window'))
  vi.advanceTimersByTime(100)
  expect(loadFormDraft('goods:1')).toBeUndefined()
  vi.advanceTimersByTime(100)
  expect(loadFormDraft('goods:1')).toMatchObject({
    values: { remark: 'by the window' },
    was: { remark: '' },
    version: 3,
  })
  expect(loadFormDraft('goods:2')).toBeUndefined()
})

test('what is typed in the last moment before a save is not kept after it', () => {
  saveFormDraftDebounced('goods:1', typed('by the'))
  saveFormDraftDebounced('goods:1', typed('in another form'))
  saveFormDraftDebounced('goods:2', typed('another row'))
  deleteFormDraft('goods:1')
  vi.runAllTimers()
  expect(loadFormDraft('goods:1')).toBeUndefined()
  expect(loadFormDraft('goods:2')).toMatchObject({ values: { remark: 'another row' } })
})

test('what is typed back to what it was forgets the draft; the very same as is kept keeps its time', () => {
  vi.setSystemTime('2026-01-31T08:00:00Z')
  saveFormDraftDebounced('goods:1', typed('by the window'))
  vi.runAllTimers()
  const { at } = loadFormDraft('goods:1')!
  vi.advanceTimersByTime(60_000)
  saveFormDraftDebounced('goods:1', typed('by the window'))
  vi.runAllTimers()
  expect(loadFormDraft('goods:1')!.at).toBe(at)
  saveFormDraftDebounced('goods:1', typed('by the door'))
  vi.runAllTimers()
  expect(loadFormDraft('goods:1')!.at).toBeGreaterThan(at)
  saveFormDraftDebounced('goods:1', () => undefined)
  vi.runAllTimers()
  expect(loadFormDraft('goods:1')).toBeUndefined()
})
