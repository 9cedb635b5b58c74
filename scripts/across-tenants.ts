import { globSync, readFileSync } from 'node:fs'

const ROOT = new URL('../', import.meta.url)
const SOURCES = ['kit/server/**/*.ts', 'apps/server/src/**/*.ts', 'domains/**/*.ts']
const isTest = (file: string) => /\.(test|test-d|demo)\.ts$/.test(file)

/**
 * Returns every place in the product that reads across tenants, with the reason it gives: "file  reason". A line with
 * "?" is a reason this script cannot read.
 */
export function crossings(): string[] {
  const lines: string[] = []
  for (const file of globSync(SOURCES, { cwd: ROOT.pathname })
    .filter((one) => !isTest(one))
    .sort()) {
    const text = readFileSync(new URL(file, ROOT), 'utf8')
    const constants = new Map(
      [...text.matchAll(/const (\w+) = (['"`])([^\n]*?)\2/g)].map(([, name, , value]) => [name, value!]),
    )
    const reasonOf = (expression: string) =>
      /^(['"`])(.*?)\1/.exec(expression)?.[2] ??
      constants.get(/^\w+/.exec(expression)?.[0] ?? '') ??
      `? ${expression.slice(0, 40)}`
    const found = new Map<string, number>()
    const note = (line: string) => found.set(line, (found.get(line) ?? 0) + 1)
    for (const [, expression] of text.matchAll(/(?<!\w )\bacrossTenants\(([^\n]*)/g)) note(reasonOf(expression!))
    for (const [, expression] of text.matchAll(/\bcrossTenantReason: ((?!reason\b|string\b)[^\n]*)/g))
      note(reasonOf(expression!))
    const direct = [...text.matchAll(/\bsystemPool\b[^\n]*\.(query|connect)[<(]|readBatch\([^\n]*systemPool/g)].length
    if (direct) found.set('[connection of the machinery]', direct)
    for (const [reason, count] of found) lines.push(`${file}  ${reason}${count > 1 ? ` (${count} times)` : ''}`)
  }
  return lines
}

/** Returns every kind of shared key that belongs to no tenant, with its reason: "file  kind: reason". */
export function keptForAllKinds(): string[] {
  return globSync(SOURCES, { cwd: ROOT.pathname })
    .filter((one) => !isTest(one))
    .sort()
    .flatMap((file) =>
      [
        ...readFileSync(new URL(file, ROOT), 'utf8').matchAll(
          /(?<!function )\bdefineGlobalSharedKey\(\s*([^\n]*(?:\n[^\n]*)?)/g,
        ),
      ].map(([, argument]) => {
        const [, kind, reason] = /^'([\w-]+)',\s*'((?:[^'\\]|\\.)+)'/.exec(argument!) ?? []
        return `${file}  ${kind ? `${kind}: ${reason!.replaceAll('\\', '')}` : `? ${argument!.slice(0, 40)}`}`
      }),
    )
}
