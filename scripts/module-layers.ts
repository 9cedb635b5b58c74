import { globSync, readFileSync } from 'node:fs'

const root = new URL('..', import.meta.url)

/** Returns the modules that each module of `domains/` imports from, demo data included and tests left out. */
export function moduleDependencies(): Map<string, Set<string>> {
  const uses = new Map<string, Set<string>>()
  for (const file of globSync('domains/*/*/*.{ts,tsx}', { cwd: root }).filter((one) => !/\.test\.|\/test-/.test(one))) {
    const module = file.split('/').slice(1, 3).join('/')
    const used = uses.get(module) ?? new Set()
    const code = readFileSync(new URL(file, root), 'utf8')
    for (const [, other] of code.matchAll(/'#domains\/([\w-]+\/[\w-]+)\//g)) if (other !== module) used.add(other!)
    uses.set(module, used)
  }
  return uses
}

/** Returns a path of imports from a module back to itself, undefined when there is none. */
export function findCycle(uses: ReadonlyMap<string, ReadonlySet<string>>, module: string): string[] | undefined {
  const known = new Set<string>()
  const circleFrom = (from: string): string[] | undefined => {
    for (const next of uses.get(from) ?? []) {
      if (next === module) return [from, next]
      if (known.has(next)) continue
      known.add(next)
      const rest = circleFrom(next)
      if (rest) return [from, ...rest]
    }
    return undefined
  }
  return circleFrom(module)
}

/** Returns the modules by layer, lowest first: each uses modules of lower layers only. Throws on a cycle. */
export function moduleLayers(uses: ReadonlyMap<string, ReadonlySet<string>> = moduleDependencies()): string[][] {
  const left = new Set([...uses.keys()].sort())
  const out: string[][] = []
  while (left.size) {
    const layer = [...left].filter((module) => ![...uses.get(module)!].some((other) => left.has(other)))
    if (!layer.length) {
      const [circle] = [...left].flatMap((module) => findCycle(uses, module)?.join(' → ') ?? [])
      throw new Error(`modules use each other in a circle: ${circle}`)
    }
    out.push(layer)
    for (const module of layer) left.delete(module)
  }
  return out
}
