import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { failureOf, freshTree, programOf, RECIPES, stepsOf, write } from './recipe-steps.ts'
import { TYPES } from './types-program.ts'

const derives = (command: string): boolean => command.startsWith('npm run derived')
/** What is derived is made once, by the last recipe that asks for it. */
const deriving = RECIPES.findLast((recipe) =>
  stepsOf(recipe).some((step) => 'command' in step && derives(step.command)),
)

/** Commands a quick run leaves to `npm run recipes`: they check more than the recipe's own work, or take longer. */
const isLong = (command: string, recipe: string): boolean =>
  /^npm (test|run check|run format)/.test(command) || (derives(command) && recipe !== deriving)

/** Needs no code: its page writes the test alone. */
const NO_CODE = 'put-an-act-behind-approval'

let tree: ReturnType<typeof freshTree>
beforeAll(() => void (tree = freshTree()))
afterAll(() => tree.remove())

/** Writes what the step shows, or runs its command and answers how that failed. */
async function failureAt(step: ReturnType<typeof stepsOf>[number], recipe: string): Promise<string | undefined> {
  if ('file' in step) return void write(tree.folder, step)
  return isLong(step.command, recipe) ? undefined : failureOf(tree.folder, ...programOf(step.command))
}

/**
 * Quickly, one upon the other, in one tree that is compiled at the end; `npm run recipes` runs the tests the pages ask
 * for as well.
 */
describe('a recipe followed to the letter', () => {
  test.each(RECIPES)('finds every place it names, and its migration: %s', { timeout: 240_000 }, async (recipe) => {
    const steps = stepsOf(recipe)
    expect(steps.filter((step) => 'file' in step).length).toBeGreaterThan(recipe === NO_CODE ? 0 : 2)
    for (const step of steps) expect(await failureAt(step, recipe)).toBeUndefined()
  })

  test('leaves a tree that compiles and whose derived files are up to date', { timeout: 240_000 }, async () => {
    expect(await failureOf(tree.folder, 'scripts/derived.ts', '--check')).toBeUndefined()
    // Beside other files at work one checker is enough: what comes last counts.
    expect(await failureOf(tree.folder, ...TYPES, '--checkers', '1')).toBeUndefined()
  })
})
