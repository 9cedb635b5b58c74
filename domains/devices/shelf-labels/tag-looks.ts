import { sql, type Db } from '#kit/server/database/db.ts'
import type { TagAppearance } from './tag-content.ts'
import { tagTemplate } from './tag-template.resource.ts'
import { parseTagLayout, toTagSize } from './tag-templates.ts'

export type { TagAppearance }

type Tag = { template: string; model: string | null; layoutId: string | null }

/** What "Standard" is on tags of a size where the tenant has set a default. */
export const STANDARD_TAG_TEMPLATE = 'standard'

/** How each tag looks now: by its own template, by the default of its size where it is standard, else by what came. */
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
