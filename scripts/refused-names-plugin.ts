/**
 * The linter's rule `names/no-refused-words`: what is declared may not be called by the words of a private dialect.
 * Keys of objects are free, since columns and API fields keep their names, and so is a constant that takes a key out of
 * an object under its own name.
 */
import type { RuleTester } from 'oxlint/plugins-dev'
import { refusedWordIn, saysTooLittle, type TopLevelKind } from './refused-names.ts'

type Rule = Extract<Parameters<RuleTester['run']>[1], { createOnce: unknown }>
type Visitor = ReturnType<Rule['createOnce']>
type Visited<K extends string> = Parameters<NonNullable<Visitor[K]>>[0]
type Declarator = Visited<'VariableDeclarator'>
type Functional = Visited<'FunctionDeclaration'> | Visited<'ArrowFunctionExpression'>
type Node = Declarator['parent']
type Pattern = Declarator['id'] | Functional['params'][number]
type Element = Extract<Pattern, { type: 'ArrayPattern' }>['elements'][number]
type Name = Extract<Pattern, { type: 'Identifier' }>

/** Returns the names a pattern declares, without those it takes from a key of an object. */
function namesIn(pattern: Pattern | Element): Pick<Name, 'name' | 'range'>[] {
  switch (pattern?.type) {
    case 'Identifier':
      return [pattern]
    case 'AssignmentPattern':
      return namesIn(pattern.left)
    case 'RestElement':
      return namesIn(pattern.argument)
    case 'ArrayPattern':
      return pattern.elements.flatMap(namesIn)
    case 'ObjectPattern':
      return pattern.properties.flatMap((one) =>
        one.type === 'RestElement' ? namesIn(one) : one.shorthand ? [] : namesIn(one.value),
      )
    default:
      return []
  }
}

const isAtTop = ({ parent }: Node): boolean =>
  parent?.type === 'Program' || (parent?.type === 'ExportNamedDeclaration' && isAtTop(parent))

const noRefusedWords: Rule = {
  meta: { type: 'suggestion' },
  createOnce(context) {
    const check = (names: ReturnType<typeof namesIn>, top?: TopLevelKind | false) => {
      for (const { name, range } of names) {
        const word = refusedWordIn(name)
        const why = word ? `has the refused word "${word}"` : top && saysTooLittle(name, top) && 'says too little'
        const node: Pick<Name, 'range'> = { range: [range[0], range[0] + name.length] }
        if (why) context.report({ node, message: `The name "${name}" ${why}: take the field's (docs/style.md §13)` })
      }
    }
    const checkParams = ({ params }: { params: readonly Pattern[] }) => check(params.flatMap(namesIn))
    const checkFunction = (node: Functional) => {
      if (node.id) check([node.id], isAtTop(node) && 'function')
      checkParams(node)
    }
    const checkType = (node: Visited<'ClassDeclaration'> | Visited<'TSTypeAliasDeclaration'>) => {
      if (node.id) check([node.id], isAtTop(node) && 'type')
    }
    return {
      VariableDeclarator: (node) => check(namesIn(node.id), isAtTop(node.parent) && 'function'),
      FunctionDeclaration: checkFunction,
      FunctionExpression: checkFunction,
      ArrowFunctionExpression: checkFunction,
      TSFunctionType: (node: Visited<'TSFunctionType'>) => checkParams(node),
      TSMethodSignature: (node: Visited<'TSMethodSignature'>) => checkParams(node),
      CatchClause: ({ param }) => check(namesIn(param)),
      ClassDeclaration: checkType,
      TSTypeAliasDeclaration: checkType,
      TSInterfaceDeclaration: ({ id }) => check([id], 'type'),
      TSEnumDeclaration: ({ id }) => check([id], 'type'),
      ImportSpecifier: ({ imported, local }) => {
        if (imported.type !== 'Identifier' || imported.name !== local.name) check([local])
      },
    }
  },
}

export default { meta: { name: 'names' }, rules: { 'no-refused-words': noRefusedWords } }
