import { sql, type Db } from '#kit/server/database/db.ts'
import type { Look } from './tag-content.ts'
import { tagTemplate } from './tag-template.resource.ts'
import { parseLayout, sizeOf } from './tag-templates.ts'

export type { Look }

type Tag = { template: string; model: string | null; layoutId: string | null }

/** What "Standard" is on tags of a size where the tenant has set a default. */
export const STANDARD = 'standard'

/** How each tag looks now: by its own template, by the default of its size where it is standard, else by what came. */
export async function looks(db: Db): Promise<(tag: Tag) => Look> {
  const rows = await db.find(tagTemplate, sql`true`, sql`order by r.id`)
  const byId = new Map(rows.map((row) => [row.id, row]))
  const defaults = new Map(rows.filter(({ isDefault }) => isDefault).map((row) => [row.model, row]))
  return ({ template, model, layoutId }) => {
    const size = sizeOf(model)
    const row = (layoutId && byId.get(layoutId)) || (template === STANDARD ? defaults.get(size) : undefined)
    const parsed = row && parseLayout(row.elements)
    return parsed && 'lines' in parsed
      ? { template, size, layoutId: row.id, layout: parsed.lines }
      : { template, size, layoutId: null, layout: null }
  }
}
