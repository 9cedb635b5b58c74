import { resolveEvents } from '#domains/shops/shop-events/api.ts'
import { maskProviderSecrets, prepareProviderDraft } from '#domains/platform/files/api.ts'
import { VendorError } from '#domains/platform/external-apis/api.ts'
import type { RowOf } from '#kit/resource/index.ts'
import { sql } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { rejectManualCreate } from '#kit/server/resource/read-only-fields.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { serve, type Call } from '#kit/server/module/module.ts'
import { translateSystemText } from '#kit/server/base/system-words.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { createDifyAccess } from './access.ts'
import { aiApp } from './ai-app.resource.ts'
import { aiFinding } from './ai-finding.resource.ts'
import { aiTask, aiTaskLog } from './ai-task.resource.ts'
import { aiUsage } from './ai-usage.resource.ts'
import { runAiTaskManually } from './begin-runs.ts'
import { fetchDifyAppInfo } from './dify.client.ts'
import { sanitizeModelText } from './findings.ts'
import './refusals.ts'
import { requestAiRunStop } from './stop-run.ts'
import { requireValidAiTargets } from './targets.ts'

export const aiAppServer = serve(aiApp, {
  beforeSave: (draft, was, call) => prepareProviderDraft(aiApp, draft, was, call, ['apiKey']),
  present: (wire) => maskProviderSecrets(wire, ['apiKey']),
  actions: {
    check: async (row, _input, { services }) => {
      try {
        const { name } = await fetchDifyAppInfo(createDifyAccess(services, row))
        return { title: sanitizeModelText(name, 100) ?? row.workflow }
      } catch (error) {
        if (!(error instanceof VendorError)) throw error
        if (error.code === 'no_answer') throw new Refused('ai_not_reached', { reason: error.message.slice(0, 100) })
        throw new Refused('ai_says_no', { reason: sanitizeModelText(error.message, 100) ?? error.code })
      }
    },
  },
})

/** Returns the share of findings judged right as "92% (23/25)"; empty without judgements. */
function accuracyOf(wire: Record<string, unknown>): string {
  const right = Number(wire.rightCount ?? 0)
  const all = right + Number(wire.wrongCount ?? 0)
  return all > 0 ? `${Math.round((right / all) * 100)}% (${right}/${all})` : ''
}

export const aiTaskServer = serve(aiTask, {
  beforeSave: async (draft, was, call) => {
    await requireValidAiTargets(draft, was, call)
    // Enabling a task again resets its count of failures.
    if (draft.enabled === true && was?.enabled === false) draft.failedRuns = 0
  },
  present: (wire) => {
    for (const row of wire) row.accuracy = accuracyOf(row)
  },
  actions: {
    run: async (task, _input, { db, services }) => ({
      count: (await runAiTaskManually(db, task, services.now())).length,
    }),
  },
})

export const aiTaskLogServer = serve(aiTaskLog, {
  beforeSave: (_draft, was) => rejectManualCreate(aiTaskLog, was),
  present: (wire, _rows, { lang }) => {
    for (const row of wire)
      if (typeof row.error === 'string') {
        row.error = translateSystemText(row.error, lang)
      }
  },
  actions: { stop: (run, _input, { db, services }) => requestAiRunStop(db, services, run) },
})

export const aiUsageServer = serve(aiUsage)

type Finding = RowOf<typeof aiFinding>

/** Stores the judgement of a finding and updates the counts of its task. Resolves its event if it was wrong. */
async function judge(finding: Finding, verdict: 'right' | 'wrong', { db, caller, services }: Call): Promise<void> {
  const row = await db.update(aiFinding, finding.id, {
    verdict,
    openKey: null,
    judge: caller.userId,
    judgeTime: formatShanghaiTime(services.now()),
  })
  publishRowsChanged({ db }, aiFinding, [row])
  if (!finding.taskId) return
  // Locked before counting, so that concurrent judgements are all counted.
  const task = await db.get(aiTask, finding.taskId, 'forUpdate')
  if (!task) return
  const counts = await db.one<{ right: number; wrong: number }>(sql`
    select count(*) filter (where verdict = 'right')::int as right,
      count(*) filter (where verdict = 'wrong')::int as wrong
    from ai_finding where tenant_id = ${db.tenantId} and task_id = ${task.id} and verdict in ('right', 'wrong')`)
  const counted = await db.update(aiTask, task.id, { rightCount: counts!.right, wrongCount: counts!.wrong })
  publishRowsChanged({ db }, aiTask, [counted])
  if (verdict === 'wrong' && finding.eventId && finding.subject)
    await resolveEvents(db, { shopId: finding.shopId!, type: 'aiFinding', subject: finding.subject })
}

export const aiFindingServer = serve(aiFinding, {
  without: ['submit', 'remove'],
  actions: {
    right: (finding, _input, call) => judge(finding, 'right', call),
    wrong: (finding, _input, call) => judge(finding, 'wrong', call),
  },
})
