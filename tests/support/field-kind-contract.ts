import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isEmptyInput, type Field, type FieldKind, type FieldProblem } from '#kit/fields/base/field-kind.ts'
import { fieldKinds, parseFieldInput } from '#kit/fields/kinds.ts'
import { fieldProblemSentence } from '#kit/fields/problem-sentence.ts'

type Promises = {
  /** Options of the field, besides its label. */
  options?: Record<string, unknown>
  /** Accepted inputs, each with the value read back. */
  accepts: readonly (readonly [input: unknown, wire: unknown])[]
  /** Refused inputs, each with the problem's code. */
  refuses: readonly (readonly [input: unknown, problem: string, options?: Record<string, unknown>])[]
  /** What an empty value is read back as. */
  empty: unknown
  /** Further inputs that count as empty, such as -1 from older clients. */
  alsoEmpty?: readonly unknown[]
  /** `none`: the contract test makes the samples (references). `constant`: all rows get the same one. */
  sample?: 'none' | 'constant'
}

const NASTY: readonly unknown[] = [
  {},
  { toString: 1, valueOf: 1 },
  [{ toString: 1 }],
  [],
  [[]],
  [{}],
  [null],
  { a: 1 },
  true,
  false,
  0,
  -0,
  -1,
  1e21,
  1e-9,
  Number.MAX_SAFE_INTEGER,
  Infinity,
  NaN,
  ' ',
  '\t\n',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udfff',
  '😀',
  '\u202eabc',
  "' or 1=1 --",
  '<script>alert(1)</script>',
  '__proto__',
  'constructor',
  'x'.repeat(100_000),
  '9'.repeat(400),
  '٣',
  '１２',
  '0x10',
  '1e3',
  '-',
  '.',
  ',',
  ',,',
  '{',
  '[]',
  '{}',
  '2026-02-30',
  '../../etc/passwd',
  'javascript:alert(1)',
]

/** Registers the tests that every field kind passes, with the inputs this kind accepts and refuses. */
export function fieldKindContract(
  kind: FieldKind,
  { options = {}, accepts, refuses, empty, alsoEmpty = [], sample }: Promises,
): void {
  const make = (more: Record<string, unknown> = {}): Field => ({
    kind: kind.kind,
    label: { zh: '字段', en: 'Field' },
    ...options,
    ...more,
  })
  /** Whether the value is read back not at all or masked, so that the answer cannot be sent again. */
  const isHidden = kind.writeOnly || Boolean(options.mask)
  const stored = (input: unknown, field = make()): unknown => {
    const parsed = parseFieldInput(input, field)
    if ('problem' in parsed) throw new Error(`${JSON.stringify(input)} is refused: ${parsed.problem.code}`)
    return parsed.value
  }

  describe(`a ${kind.kind} field`, () => {
    test('is known by its name', () => expect(fieldKinds.get(kind.kind)).toBe(kind))

    test.each(accepts.map(([input, wire]) => [JSON.stringify(input), input, wire] as const))(
      'accepts %s',
      (_name, input, wire) => {
        expect(kind.wire(stored(input), make())).toEqual(wire)
      },
    )

    test.each(
      refuses.map(([input, problem, more]) => [JSON.stringify(input)?.slice(0, 60), problem, input, more] as const),
    )('refuses %s as %s, with a sentence in both languages', (_name, problem, input, more) => {
      const field = make(more)
      const parsed = parseFieldInput(input, field)
      expect(parsed).toMatchObject({ problem: { code: problem } })
      for (const lang of ['zh', 'en'] as const)
        expect(fieldProblemSentence((parsed as { problem: FieldProblem }).problem, field, lang)).not.toMatch(/\{\w+\}/)
    })

    test('is empty when nothing is given, and says so where it is required', () => {
      // Blanks in a write-only field are a value: the user believes to have set it.
      const blanks = kind.writeOnly ? [] : [' ']
      for (const nothing of [undefined, null, '', ...blanks, 'undefined', 'null', [], ...alsoEmpty]) {
        const value = stored(nothing)
        expect(value === null || (Array.isArray(value) && value.length === 0)).toBe(true)
      }
      for (const nothing of [undefined, null, '', ...blanks, 'undefined', 'null', []].filter(
        (one) => !alsoEmpty.includes(one),
      ))
        expect(parseFieldInput(nothing, make({ required: true }))).toEqual({
          problem: { code: 'required', params: undefined },
        })
    })

    test('reads as a value, never as null', () => {
      expect(kind.wire(null, make())).toEqual(empty)
      expect(kind.wire(undefined, make())).toEqual(empty)
    })

    if (!isHidden)
      test('what was read can be sent back and stays what it was', () => {
        for (const [input] of accepts) {
          const first = stored(input)
          expect(stored(kind.wire(first, make()))).toEqual(first)
        }
      })

    test('answers any input with a value or a problem, and a value it gave survives its own way back', () => {
      const field = make()
      const check = (input: unknown) => {
        const parsed = parseFieldInput(input, field)
        const sentence = 'problem' in parsed ? fieldProblemSentence(parsed.problem, field, 'en') : 'Field'
        expect(sentence).toContain('Field')
        if ('problem' in parsed) return
        const text = JSON.stringify(parsed.value)
        // PostgreSQL can store neither of them.
        expect(text).not.toContain('\\u0000')
        expect(text).not.toMatch(/\\ud[89a-f]/)
        const wire = kind.wire(parsed.value, field)
        expect(wire).not.toBeNull()
        expect(wire).not.toBeUndefined()
        const back = isEmptyInput(parsed.value) ? { value: parseFieldEmpty(wire, field) } : parsed
        expect(isHidden ? back : parseFieldInput(wire, field)).toEqual(back)
      }
      for (const input of NASTY) check(input)
      fc.assert(
        fc.property(
          fc.oneof(
            fc.anything(),
            fc.string({ unit: 'binary' }),
            fc.double(),
            fc.integer(),
            fc.string({ unit: 'grapheme' }),
          ),
          (input) => void check(input),
        ),
        { numRuns: 300 },
      )
    })

    test('has a column type, a schema and samples that are valid by its own rules', () => {
      expect(kind.column(make())).toMatch(/^[a-z]+(\(\d+(,\d+)?\))?(\[\])?$/)
      expect(kind.schema(make())).toBeTypeOf('object')
      if (sample === 'none') return
      const samples = [0, 1, 2, 5, 9].map((n) =>
        JSON.stringify(stored(kind.sample(make(), n), make({ required: true }))),
      )
      expect(new Set(samples).size).toBeGreaterThan(sample === 'constant' ? 0 : 1)
    })
  })
}

const parseFieldEmpty = (wire: unknown, field: Field): unknown => {
  const parsed = parseFieldInput(wire, field)
  return 'value' in parsed ? parsed.value : parsed
}
