import { expect, test } from 'vitest'
import { oneOfEach } from './whole.ts'

test('whatever kind there is, one that has it is chosen, and none that adds no kind', () => {
  const all = ['ax', 'ay', 'bx', 'ax', 'by', 'cz']
  expect(oneOfEach(all, (one) => [...one])).toEqual(['ax', 'ay', 'bx', 'cz'])
})
