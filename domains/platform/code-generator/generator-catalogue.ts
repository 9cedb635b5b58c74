import type { Field } from '#kit/fields/base/field-kind.ts'
import type { ModuleRegistry } from '#kit/server/module/module.ts'
import type { LocalizedText } from '#kit/base/localized-text.ts'
import type { GeneratorCatalogue } from './part.ts'

const kept = new WeakMap<ModuleRegistry, GeneratorCatalogue>()

/**
 * Returns what proposals are based on: resource names by table, and English translations from existing declarations.
 * Cached per registry.
 */
export function generatorCatalogueOf(registry: ModuleRegistry): GeneratorCatalogue {
  const known = kept.get(registry) ?? readKnown(registry)
  kept.set(registry, known)
  return known
}

function readKnown({ served, modules }: ModuleRegistry): GeneratorCatalogue {
  const resources = new Map<string, string>()
  const words = new Map<string, string>()
  const learn = ({ zh, en }: LocalizedText) => {
    if (!words.has(zh)) words.set(zh, en)
  }
  for (const { resource } of served.values()) {
    resources.set(resource.table, resource.name)
    learn(resource.label)
    for (const field of Object.values<Field>(resource.fields)) learn(field.label)
  }
  for (const { entries } of modules.flatMap((module) => module.dictionaries ?? [])) entries.forEach(learn)
  return { resources, words }
}
