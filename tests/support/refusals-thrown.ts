import { parseSync } from 'vite'

type SyntaxNode = { type: string; start: number; [key: string]: any }
/** A refusal thrown with a code and parameters that are written out. */
type ThrownRefusal = { at: string; code: string; given: ReadonlySet<string> }

/** Returns the refusals a source throws, but those whose code or parameters are put together elsewhere. */
export function refusalsThrown(file: string, source: string): ThrownRefusal[] {
  const found: ThrownRefusal[] = []
  const walk = (node: SyntaxNode): void => {
    if (node.type === 'NewExpression' && node.callee.name === 'Refused') found.push(...thrownBy(node))
    for (const value of Object.values(node))
      for (const child of Array.isArray(value) ? value : [value])
        if (child && typeof child === 'object' && typeof child.type === 'string') walk(child)
  }

  const thrownBy = ({ arguments: [code, params], start }: SyntaxNode): ThrownRefusal[] => {
    if (code?.type !== 'Literal' || (params && params.type !== 'ObjectExpression')) return []
    const properties = (params?.properties ?? []) as SyntaxNode[]
    if (properties.some(({ type, computed }) => type !== 'Property' || computed)) return []
    const at = `${file}:${source.slice(0, start).split('\n').length}`
    return [
      { at, code: String(code.value), given: new Set(properties.map(({ key }) => String(key.name ?? key.value))) },
    ]
  }

  walk(parseSync(file, source).program)
  return found
}
