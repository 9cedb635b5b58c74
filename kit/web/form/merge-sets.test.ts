import { expect, test } from 'vitest'
import { mergeSetChanges } from './merge-sets.ts'

test(
  'what two people ticked and unticked at once is all done, and nothing comes ' + 'back that one of them took away',
  () => {
    expect(mergeSetChanges(['a', 'b', 'new'], ['a', 'b', 'c'], ['a', 'c', 'theirs'])).toEqual(['a', 'theirs', 'new'])
    expect(mergeSetChanges(['a'], ['a'], ['a', 'b'])).toEqual(['a', 'b'])
    expect(mergeSetChanges(['a', 'b'], ['a'], ['a', 'b'])).toEqual(['a', 'b'])
  },
)
