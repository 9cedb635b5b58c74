import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toStorableRunOutputs, sanitizeModelText, parseRunOutput } from './findings.ts'

test('what was agreed is read, as an object, as JSON, and in the fence of a chat answer', () => {
  const result = {
    summary: '货架有空缺',
    level: 'warn',
    items: [
      {
        type: 'empty_shelf',
        label: '可乐',
        confidence: 0.914,
        box: [0.1, 0.2, 0.3, 0.4],
        goodsUpc: 690,
        advice: '补货',
      },
    ],
  }
  const read = {
    isWhole: true,
    summary: '货架有空缺',
    level: 'warn',
    items: [
      {
        type: 'empty_shelf',
        said: '可乐',
        confidence: 91.4,
        box: { x: 0.1, y: 0.2, w: 0.3, h: 0.4 },
        upc: '690',
        advice: '补货',
      },
    ],
  }
  const text = JSON.stringify(result)
  for (const outputs of [{ result }, { result: text }, { text: `好的：\n\`\`\`json\n${text}\n\`\`\`\n以上` }, result])
    expect(parseRunOutput(outputs)).toEqual(read)
})

test('what is not as agreed is incomplete, and what can be read of it is kept; a kind nobody knows is other', () => {
  const item = { type: 'open_all_doors', label: 'x', confidence: 1 }
  const read = (result: unknown) => parseRunOutput({ result })
  expect(read('货架有点空')).toMatchObject({ isWhole: false, items: [] })
  expect(read({ level: 'ok', items: 'none' })).toMatchObject({ isWhole: false, level: 'ok' })
  expect(read({ level: 'panic', items: [] })).toMatchObject({ isWhole: false, level: null })
  expect(read({ level: 'ok', items: [item, null, { label: 'y' }] }).items).toEqual([
    { type: 'other', said: 'x', confidence: 100, box: null, upc: null, advice: null },
  ])
  expect(read({ level: 'ok', items: Array.from({ length: 5_000 }, () => item) })).toMatchObject({ isWhole: false })
  expect(read({ level: 'ok', items: Array.from({ length: 5_000 }, () => item) }).items).toHaveLength(50)
})

test('how sure a model is, is read as agreed or not at all: sixty is no share of one', () => {
  const item = { type: 'smoke', label: 'x', confidence: 0.6 }
  const read = (...items: object[]) => parseRunOutput({ result: { level: 'warn', items } })
  for (const confidence of [60, -0.1, 1.01, '60', Number.NaN])
    expect(read(item, { ...item, confidence })).toMatchObject({ isWhole: false, items: [{ confidence: 60 }] })
  expect(read({ ...item, box: [0.5, 0.5, 0.501, 0.5] }).items[0]!.box).toEqual({ x: 0.5, y: 0.5, w: 0.5, h: 0.5 })
  for (const box of [
    [10, 10, 20, 20],
    [0.5, 0.5, 0.9, 0.1],
  ])
    expect(read({ ...item, box }).items[0]!.box).toBe(null)
})

test('what a model thinks aloud is not what it found, and a form it was held to is read', () => {
  const found = (label: string) =>
    JSON.stringify({ summary: 's', level: 'warn', items: [{ type: 'smoke', label, confidence: 1 }] })
  const fenced = (label: string) => `\`\`\`json\n${found(label)}\n\`\`\``
  const labelsOf = (outputs: object) => parseRunOutput(outputs).items.map(({ said: label }) => label)
  expect(labelsOf({ text: `<think>perhaps ${fenced('thought')}</think>\nSo: ${fenced('answer')}` })).toEqual(['answer'])
  expect(labelsOf({ text: `<think>${fenced('thought')}</think>${found('answer')}` })).toEqual(['answer'])
  expect(labelsOf({ text: `<think>${fenced('thought')}` })).toEqual([])
  expect(
    labelsOf({ text: `<details open><summary>Thinking…</summary>${fenced('thought')}</details>${found('a')}` }),
  ).toEqual(['a'])
  expect(labelsOf({ text: `\`\`\`python\nx = 1\n\`\`\`\n${fenced('second')}` })).toEqual(['second'])
  expect(labelsOf({ structured_output: JSON.parse(found('held')), text: 'as you asked' })).toEqual(['held'])
  expect(labelsOf({ structured_output: {}, text: found('told') })).toEqual(['told'])
})

test('whatever comes, nothing is thrown, and what is kept is bounded text that the database takes', () => {
  const wild = fc.oneof(
    fc.anything({ withNullPrototype: false }),
    fc.record({
      result: fc.record({
        summary: fc.string({ unit: 'binary' }),
        level: fc.constantFrom('ok', 'warn', 'x'),
        items: fc.array(
          fc.record(
            {
              type: fc.constantFrom('smoke', '__proto__', 'x'),
              label: fc.string({ unit: 'binary', maxLength: 900 }),
              confidence: fc.oneof(fc.double(), fc.string()),
              box: fc.array(fc.oneof(fc.double(), fc.string()), { maxLength: 5 }),
            },
            { requiredKeys: [] },
          ),
        ),
      }),
    }),
  )
  fc.assert(
    fc.property(wild, (outputs) => {
      const { items, summary } = parseRunOutput(outputs)
      const texts = [summary, ...items.flatMap(({ said, advice, upc }) => [said, advice, upc])]
      for (const text of texts.filter((one) => one !== null)) {
        expect(text.isWellFormed() && !text.includes('\u0000')).toBe(true)
        expect(Array.from(text).length).toBeLessThanOrEqual(500)
      }
      for (const { confidence, box } of items) {
        expect(confidence >= 0 && confidence <= 100).toBe(true)
        const { x, y, w, h } = box ?? { x: 0, y: 0, w: 0, h: 0 }
        expect(x >= 0 && y >= 0 && x + w <= 1.0001 && y + h <= 1.0001).toBe(true)
      }
    }),
    { numRuns: 400 },
  )
})

test('outputs are kept word for word where they are short, else their beginning', () => {
  expect(toStorableRunOutputs({ a: ['字', 1] })).toEqual({ a: ['字', 1] })
  expect(toStorableRunOutputs(null)).toBe(null)
  expect(JSON.stringify(toStorableRunOutputs({ a: 'x'.repeat(900_000) })).length).toBeLessThan(6_000)
  expect(JSON.parse(JSON.stringify(toStorableRunOutputs({ a: '\u0000\ud800' })))).toMatchObject({
    cut: expect.any(String),
  })
})

test('a line of text has no markup’s helpers: no line breaks, no marks that turn the direction', () => {
  expect(sanitizeModelText(' a\n\u202eb\u0000c ', 100)).toBe('a b c')
  expect(sanitizeModelText({}, 10)).toBe(null)
  expect(sanitizeModelText('很长'.repeat(20), 5)).toBe('很长很长…')
})
