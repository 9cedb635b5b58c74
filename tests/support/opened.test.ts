import { expect, test } from 'vitest'
import { createOpened } from './opened.ts'

test('what was opened ends last first, each though another fails or never ends, and the faults are told', async () => {
  const ended: string[] = []
  const opened = createOpened(20)
  const keep = (name: string, end: () => unknown = () => {}) =>
    opened.keep(name, name, () => {
      ended.push(name)
      return end()
    })
  await keep('database')
  await keep('broker', () => new Promise(() => {}))
  await keep('server', () => {
    throw new Error('it is gone')
  })
  await keep('fleet')
  await expect(opened.end()).rejects.toThrow('Error: it is gone\nError: broker did not end in 0.02 s')
  expect(ended).toEqual(['fleet', 'server', 'broker', 'database'])
  await opened.end()
  expect(ended).toHaveLength(4)
})

test('what comes when all has ended is ended at once, and nothing more is opened behind it', async () => {
  const ended: string[] = []
  const opened = createOpened()
  let come = (_name: string) => {}
  const late = opened.keep('server', new Promise<string>((resolve) => (come = resolve)), (name) => ended.push(name))
  await opened.end()
  come('late')
  await expect(late).rejects.toThrow('server came when the test was over')
  expect(ended).toEqual(['late'])
})
