import { sql, type Db } from '#kit/server/database/db.ts'
import type { TagAppearance } from './tag-content.ts'
import { tagTemplate } from './tag-template.resource.ts'
import { parseTagLayout, toTagSize } from './tag-templates.ts'

export type { TagAppearance }

type Tag = { template: string; model: string | null; layoutId: string | null }

/** The template that a tenant's default for the size of tag replaces. */
export const STANDARD_TAG_TEMPLATE = 'standard'

/**
 * Returns a function that tells how a tag is drawn: by its own template, by the tenant's default of its size if its
 * template is standard, else by a built-in one.
 */
export async function loadTagAppearanceResolver(db: Db): Promise<(tag: Tag) => TagAppearance> {
  const rows = await db.find(tagTemplate, sql`true`, sql`order by r.id`)
  const byId = new Map(rows.map((row) => [row.id, row]))
  const defaults = new Map(rows.filter(({ isDefault }) => isDefault).map((row) => [row.model, row]))
  return ({ template, model, layoutId }) => {
    const size = toTagSize(model)
    const row =
      (layoutId && byId.get(layoutId)) || (template === STANDARD_TAG_TEMPLATE ? defaults.get(size) : undefined)
    const parsed = row && parseTagLayout(row.elements)
    return parsed && 'lines' in parsed
      ? { template, size, layoutId: row.id, layout: parsed.lines }
      : { template, size, layoutId: null, layout: null }
  }
}
