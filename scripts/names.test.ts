import { describe, expect, test } from 'vitest'
import { exportedNames, namesIn, sampleBySeed } from './exported-names.ts'

describe('the names to be read blind', () => {
  test('are all exported declarations of a file, each once', () => {
    const code = [
      'export function load(id: string): string',
      'export function load(id: number): string',
      'export async function* pages() {}',
      'export const LIMIT = 3, other = 4',
      'export type Row = {}',
      'export class Refused extends Error {}',
      'export default function Page() {}',
      "export { hidden } from './hidden.ts'",
      'const local = 1',
    ]
    expect(namesIn(code.join('\n'))).toEqual(['load', 'pages', 'LIMIT', 'Row', 'Refused', 'Page'])
  })

  test('are those of the product, and no test among them', () => {
    const names = exportedNames()
    expect(names.length).toBeGreaterThan(3000)
    expect(names).toContainEqual({ name: 'defineResource', file: 'kit/resource/define-resource.ts' })
    expect(names.filter(({ file }) => /\.test\.|^tests\//.test(file))).toEqual([])
  })

  test('are the same for the same seed, others for another, and none twice', () => {
    const list = Array.from({ length: 1000 }, (_, at) => at)
    const drawn = sampleBySeed(list, 100, 7)
    expect(sampleBySeed(list, 100, 7)).toEqual(drawn)
    expect(sampleBySeed(list, 100, 8)).not.toEqual(drawn)
    expect(new Set(drawn).size).toBe(100)
    expect(sampleBySeed(list, 5000, 7)).toHaveLength(1000)
  })
})
