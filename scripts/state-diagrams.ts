import { targetsOf, type Action, type Dictionary, type Resource, type StateMachine } from '#kit/resource/index.ts'
import type { ModuleDefinition, ModuleRegistry } from '#kit/server/module/module.ts'

type Stateful = Resource<any, any, StateMachine>

/** Resources that declare states, by name. */
export const statefulResources = (registry: ModuleRegistry): Stateful[] =>
  [...registry.served.values()]
    .map(({ resource }) => resource)
    .filter((resource): resource is Stateful => resource.states !== undefined)
    .sort((one, other) => one.name.localeCompare(other.name))

/** The dictionary whose words name the states of a resource. */
export const dictionaryOfStates = (
  modules: readonly ModuleDefinition[],
  { fields, states }: Stateful,
): Dictionary | undefined =>
  modules.flatMap((module) => module.dictionaries ?? []).find(({ code }) => code === fields[states.field].dict)

/** Returns the moves of a resource as a Mermaid state diagram. Actions are named as people read them. */
function stateDiagram(modules: readonly ModuleDefinition[], resource: Stateful): string {
  const { values, initial, moves } = resource.states
  const words = dictionaryOfStates(modules, resource)?.entries ?? []
  const actions = Object.values(resource.actions as Record<string, Action>)
  const labelOf = (name: string) =>
    actions.find(({ move }) => move === name)?.label.en ??
    moves[name]!.label?.en ??
    `(${name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)})`
  const isEnd = (name: string) => !Object.values(moves).some(({ from }) => from.includes(name))
  return [
    'stateDiagram-v2',
    ...Object.entries(values).map(
      ([name, value]) => `  state "${words.find(({ key }) => key === String(value))?.en ?? name}" as ${name}`,
    ),
    ...initial.map((name) => `  [*] --> ${name}`),
    ...Object.entries(moves).flatMap(([name, move]) =>
      targetsOf(move).flatMap((to) => move.from.map((from) => `  ${from} --> ${to}: ${labelOf(name)}`)),
    ),
    ...Object.keys(values)
      .filter(isEnd)
      .map((name) => `  ${name} --> [*]`),
  ].join('\n')
}

/** Returns the page of all state diagrams. */
export const stateDiagrams = (modules: readonly ModuleDefinition[], registry: ModuleRegistry): string =>
  [
    '# States',
    'Moves in brackets are made by the system; the others are actions.',
    ...statefulResources(registry).map(
      (resource) =>
        `## ${resource.label.en} (\`${resource.name}.${resource.states.field}\`)\n\n` +
        `\`\`\`mermaid\n${stateDiagram(modules, resource)}\n\`\`\``,
    ),
  ].join('\n\n')
