/** First syntax error of a condition: the token it stands at and what was expected there. */
export type ScopeConditionFlaw = { at: string; expected: 'column' | 'operator' | 'value' | 'closing' | 'joint' }

/** Placeholders of a condition; each is replaced by a value of the person who reads the list. */
export const SCOPE_PLACEHOLDERS = ['userId', 'deptId', 'deptIds', 'roleIds', 'tenantId', 'shopIds'] as const

const OPERATORS = new Set(['=', '<>', '>', '>=', '<', '<=', 'in'])
const single = new Set<string>(['userId', 'deptId', 'tenantId'])

/**
 * Returns the first syntax error of a custom data scope, undefined when it reads well: `column op value` joined by
 * `and` / `or`, with brackets. For the form; the server parses by the same grammar and also checks the columns.
 */
export function findScopeConditionFlaw(text: string): ScopeConditionFlaw | undefined {
  const tokens = text.match(/'(?:[^']|'')*'|\$\{\w+\}|<=|>=|<>|[=<>(),]|[\w.-]+|\S/g) ?? []
  let at = 0
  const here = () => tokens[at] ?? ''
  const isValue = (token: string, many: boolean) => {
    const name = /^\$\{(\w+)\}$/.exec(token)?.[1]
    if (name) return (SCOPE_PLACEHOLDERS as readonly string[]).includes(name) && (many || single.has(name))
    return /^'(?:[^']|'')*'$/.test(token) || /^-?\d+(\.\d+)?$/.test(token)
  }

  const comparison = (): ScopeConditionFlaw | undefined => {
    if (here() === '(') {
      at++
      const inner = chain()
      if (inner) return inner
      if (here() !== ')') return { at: here(), expected: 'closing' }
      at++
      return undefined
    }
    if (!/^[A-Za-z_]\w*$/.test(here())) return { at: here(), expected: 'column' }
    at++
    const operator = here().toLowerCase()
    if (!OPERATORS.has(operator)) return { at: here(), expected: 'operator' }
    at++
    if (operator === 'in' && here() === '(') return list()
    if (!isValue(here(), operator === 'in')) return { at: here(), expected: 'value' }
    at++
    return undefined
  }

  const list = (): ScopeConditionFlaw | undefined => {
    do {
      at++
      if (!isValue(here(), true)) return { at: here(), expected: 'value' }
      at++
    } while (here() === ',')
    if (here() !== ')') return { at: here(), expected: 'closing' }
    at++
    return undefined
  }

  function chain(): ScopeConditionFlaw | undefined {
    for (;;) {
      const flaw = comparison()
      if (flaw) return flaw
      if (!/^(and|or)$/i.test(here())) return undefined
      at++
    }
  }

  return chain() ?? (at < tokens.length ? { at: here(), expected: 'joint' } : undefined)
}
