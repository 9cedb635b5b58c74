import { globSync, readFileSync } from 'node:fs'

const root = new URL('..', import.meta.url)

/** Which rooms each room of `domains/` uses, through whatever door, demo stories included and tests not. */
export function moduleDependencies(): Map<string, Set<string>> {
  const uses = new Map<string, Set<string>>()
  for (const file of globSync('domains/*/*/*.{ts,tsx}', { cwd: root }).filter((one) => !/\.test\.|\/test-/.test(one))) {
    const room = file.split('/').slice(1, 3).join('/')
    const used = uses.get(room) ?? new Set()
    const code = readFileSync(new URL(file, root), 'utf8')
    for (const [, other] of code.matchAll(/'#domains\/([\w-]+\/[\w-]+)\//g)) if (other !== room) used.add(other!)
    uses.set(room, used)
  }
  return uses
}

/** A way from a room back to itself; undefined when there is none. */
export function findCycle(uses: ReadonlyMap<string, ReadonlySet<string>>, room: string): string[] | undefined {
  const known = new Set<string>()
  const way = (from: string): string[] | undefined => {
    for (const next of uses.get(from) ?? []) {
      if (next === room) return [from, next]
      if (known.has(next)) continue
      known.add(next)
      const rest = way(next)
      if (rest) return [from, ...rest]
    }
    return undefined
  }
  return way(room)
}

/** The rooms by floor, the lowest first: each uses rooms of lower floors only. Without circles alone. */
export function moduleLayers(uses: ReadonlyMap<string, ReadonlySet<string>> = moduleDependencies()): string[][] {
  const left = new Set([...uses.keys()].sort())
  const out: string[][] = []
  while (left.size) {
    const floor = [...left].filter((room) => ![...uses.get(room)!].some((other) => left.has(other)))
    if (!floor.length) {
      const [circle] = [...left].flatMap((room) => findCycle(uses, room)?.join(' → ') ?? [])
      throw new Error(`rooms use each other in a circle: ${circle}`)
    }
    out.push(floor)
    for (const room of floor) left.delete(room)
  }
  return out
}
