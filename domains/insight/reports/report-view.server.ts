import { MANAGEMENT_TENANT, allRoleIds } from '#kit/server/base/caller.ts'
import { sql } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { planReport, parseReportQuery } from '#kit/server/reports/plan.ts'
import { hasListPermission } from '#kit/server/resource/may-list.ts'
import { serve, type Call } from '#kit/server/module/module.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { localizeBuiltInReport } from './built-in.ts'
import { requireReportableResource } from './reportable-resources.ts'
import { reportView } from './report-view.resource.ts'

/**
 * SQL condition for the reports a caller may see: own ones, those of their roles, and built-in ones; administrators see
 * all of the tenant.
 */
export const visibleReportsSql = ({ caller }: Pick<Call, 'caller'>) =>
  caller.isAdmin
    ? sql``
    : sql` and (r.create_user = ${caller.userId || '0'} or r.tenant_id = ${MANAGEMENT_TENANT}
        or r.role_id = any(${allRoleIds(caller)}::bigint[]))`

const today = ({ services }: Call) => formatShanghaiTime(services.now()).slice(0, 10)

export const reportViewServer = serve(reportView, {
  where: visibleReportsSql,
  beforeSave: async (draft, was, call) => {
    const { caller } = call
    // Only the author and administrators may change a shared report, as with saved views.
    if (was && was.createUser !== caller.userId && !caller.isAdmin) throw new Refused('forbidden')
    if (draft.roleId && !caller.isAdmin && !allRoleIds(caller).includes(draft.roleId)) throw new Refused('forbidden')
    if (draft.question === undefined) return
    const question = parseReportQuery(draft.question)
    const served = requireReportableResource(call, question.family)
    if (!(await hasListPermission(call, served))) throw new Refused('report_unknown', { name: question.family })
    planReport(served.resource, question, caller, today(call))
    Object.assign(draft, { question, family: question.family })
  },
  beforeRemove: (rows, { caller }) => {
    if (rows.some((row) => row.createUser !== caller.userId) && !caller.isAdmin) throw new Refused('forbidden')
  },
  present: (wire, rows, { services, lang }) => {
    rows.forEach((row, at) => {
      const resource = services.registry.served.get(row.family ?? '')?.resource
      Object.assign(
        wire[at]!,
        { familyName: resource?.label[lang] ?? row.family ?? '' },
        localizeBuiltInReport(row, lang),
      )
    })
  },
})
