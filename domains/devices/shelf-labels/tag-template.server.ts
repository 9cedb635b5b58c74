import { sql, type Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { serve } from '#kit/server/module/module.ts'
import type { RowOf } from '#kit/resource/index.ts'
import { PRICE_TAG_STATE } from './dictionaries.ts'
import { queueMatchingTags } from './queue-tags.ts'
import './refusals.ts'
import { STANDARD_TAG_TEMPLATE } from './tag-looks.ts'
import { tagTemplate } from './tag-template.resource.ts'
import { builtInTagLayout, TAG_LAYOUT_LINES_MAX, parseTagLayout, DEFAULT_TAG_SIZE } from './tag-templates.ts'

type Template = RowOf<typeof tagTemplate>

/** Queues the tags drawn by this template. With `isDefault` also those that use the default of its size. */
function queueTouched(db: Db, { id, model }: Template, isDefault: boolean, now: Date): Promise<number> {
  const standard = sql`(t.layout_id is null
    and coalesce(t.template, ${STANDARD_TAG_TEMPLATE}) = ${STANDARD_TAG_TEMPLATE}
    and coalesce(t.model, ${DEFAULT_TAG_SIZE}) = ${model})`
  const touched = isDefault ? sql`(t.layout_id = ${id} or ${standard})` : sql`t.layout_id = ${id}`
  return queueMatchingTags(db, sql`t.status <> ${PRICE_TAG_STATE.unbound} and ${touched}`, now)
}

export const tagTemplateServer = serve(tagTemplate, {
  beforeSave: (draft, was) => {
    if (draft.elements === undefined && was) return
    draft.elements ??= builtInTagLayout(STANDARD_TAG_TEMPLATE)
    const parsed = parseTagLayout(draft.elements)
    if ('lines' in parsed) draft.elements = parsed.lines
    else if (parsed.wrong) throw new Refused('tag_layout_wrong', { row: parsed.wrong })
    else throw new Refused('tag_layout_empty', { max: TAG_LAYOUT_LINES_MAX })
  },
  afterSave: async (row, was, { db, services }) => {
    if (row.isDefault && !was?.isDefault) {
      // There is one default per size.
      await db.advisoryLock(`tagTemplate/${row.model}`)
      const others = await db.query<{ id: string }>(sql`update tag_template set is_default = false,
        update_time = now(), version = version + 1 where tenant_id = ${db.tenantId} and model = ${row.model}
        and is_default and id <> ${row.id} and is_deleted = 0 returning id`)
      publishRowsChanged({ db }, tagTemplate, others)
    }
    const isRedrawn = JSON.stringify(row.elements) !== JSON.stringify(was?.elements)
    const isMoved = !!row.isDefault !== !!was?.isDefault
    if (isMoved || (was && isRedrawn)) await queueTouched(db, row, !!row.isDefault || !!was?.isDefault, services.now())
  },
  // Before the tags' references to it are cleared.
  beforeRemove: async (rows, { db, services }) => {
    for (const row of rows) await queueTouched(db, row, !!row.isDefault, services.now())
  },
  afterRestore: async (row, { db, services }) => {
    if (!row.isDefault) return
    const other = await db.one(sql`select id from tag_template where tenant_id = ${db.tenantId}
      and model = ${row.model} and is_default and id <> ${row.id} and is_deleted = 0`)
    if (other) await db.update(tagTemplate, row.id, { isDefault: false })
    else await queueTouched(db, row, true, services.now())
  },
})
