import { globSync, readFileSync } from 'node:fs'

const ROOT = new URL('../', import.meta.url)
const SOURCES = '{apps,kit,domains,simulators,scripts,bench,tests}/**/*.{ts,tsx,mjs}'

/** Openings that leave the subject of a comment to be guessed (docs/style.md §4), by the words they stand for. */
export const INDIRECT_OPENINGS: Readonly<Record<string, RegExp>> = {
  'What …': /^(?:What|Whatever)\b/,
  'Where, when, how …': /^(?:Where|When|How|Why|Which)\b/,
  'Of, by, without …': /^(?:Of|Among|By|With|Without|Behind|Beside|Beyond|Between|From|In|To)\b/,
  'Who …': /^(?:Who|Whose|Whom|Whoever)\b/,
  'Nothing, somebody …': /^(?:Nobody|Nothing|None|Somebody|Something|Everybody|Everything)\b/,
  'Taken, found …': /^(?:Asked|Said|Told|Given|Taken|Held|Kept|Known|Found|Seen|Heard|Brought|Shown|Lent)\b/,
  'It, his, those …': /^(?:It|He|His|They|Those|These|Its)\b/,
  'Not, only …': /^(?:Not|Only|Also|Else|Nor)\b/,
  'So many …': /^So (?:many|much|long|far|often|late|soon)\b/,
}

/** Returns the first line of each comment of a source text; lines of `//` that follow each other are one comment. */
export function commentsIn(code: string): string[] {
  const comments: string[] = []
  let isLineBefore = false
  for (const line of code.split('\n')) {
    const [, marks, text = ''] = /^\s*(\/\/|\/\*\*?|\*)\s?(.*?)(?:\s*\*\/)?$/.exec(line) ?? []
    if (marks?.startsWith('/*')) comments.push(text)
    else if (marks === '//' && !isLineBefore) comments.push(text)
    else if (marks === '*' && comments.at(-1) === '') comments[comments.length - 1] = text
    isLineBefore = marks === '//'
  }
  return comments.filter((text) => /^[A-Za-z]/.test(text) && !/^(?:oxlint-|npm run )/.test(text))
}

/** Counts the comments of the tree and, by opening, those that begin with one of `INDIRECT_OPENINGS`. */
export function countCommentOpenings(): { comments: number; byOpening: Record<string, number> } {
  const files = globSync(SOURCES, { cwd: ROOT.pathname }).filter((file) => !/\/(?:dist|node_modules)\//.test(file))
  const comments = files.flatMap((file) => commentsIn(readFileSync(new URL(file, ROOT), 'utf8')))
  const byOpening = Object.fromEntries(
    Object.entries(INDIRECT_OPENINGS).map(([name, opening]) => [
      name,
      comments.filter((text) => opening.test(text)).length,
    ]),
  )
  return { comments: comments.length, byOpening }
}
