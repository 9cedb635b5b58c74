import type { LocalizedText } from '#kit/resource/index.ts'
import { kitRoutes } from '#kit/server/mount/kit-routes.ts'
import type { ModuleRegistry } from '#kit/server/module/module.ts'

type Titles = {
  exact: ReadonlyMap<string, LocalizedText>
  patterns: readonly { pattern: RegExp; title: LocalizedText }[]
}

const known = new WeakMap<ModuleRegistry, Titles>()

/** Returns the title of the route with this method and path; undefined for an unknown one. */
export function findRouteTitle(registry: ModuleRegistry, method: string, path: string): LocalizedText | undefined {
  let titles = known.get(registry)
  if (!titles) known.set(registry, (titles = titlesOf(registry)))
  const call = `${method} ${path}`
  return titles.exact.get(call) ?? titles.patterns.find(({ pattern }) => pattern.test(call))?.title
}

function titlesOf(registry: ModuleRegistry): Titles {
  const calls = [...registry.routes, ...kitRoutes].map(({ method, path, title }) => ({
    call: `${method} ${path}`,
    title,
  }))
  return {
    exact: new Map(calls.map(({ call, title }) => [call, title])),
    patterns: calls
      .filter(({ call }) => call.includes(':'))
      .map(({ call, title }) => ({ pattern: new RegExp(`^${call.replace(/:\w+/g, '[^/]+')}$`), title })),
  }
}
