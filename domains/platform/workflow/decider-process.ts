import type { Db } from '#kit/server/database/db.ts'
import { sql } from '#kit/server/database/db.ts'
import { CHANGE_REQUEST_CATEGORY } from './flow-fields.ts'
import { flowProcess, PROCESS_SUSPENSION_STATE } from './flow-process.resource.ts'
import { readBpmn } from './read-bpmn.ts'

const HEAD =
  '<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:flowable="http://flowable.org/bpmn" ' +
  'xmlns:store="urn:store:bpmn" targetNamespace="http://www.flowable.org/processdef">'

/** Task attributes for several approvers, in parallel or in order; the first refusal ends the process. */
const several = (isSequential: boolean) =>
  'flowable:assignee="${one}" store:onRefuse="end"><multiInstanceLoopCharacteristics ' +
  `isSequential="${isSequential}" flowable:collection="approvers" flowable:elementVariable="one">` +
  '<completionCondition>${nrOfPassed == nrOfInstances}</completionCondition></multiInstanceLoopCharacteristics>'

const TASKS: Record<string, string> = {
  any: 'flowable:candidateUsers="${approvers}" store:onRefuse="end">',
  all: several(false),
  order: several(true),
}

/**
 * Returns the process for a rule that names approvers instead of a process, deploying it for the tenant on first use.
 */
export async function findOrDeployApprovalProcess(db: Db, mode: string): Promise<string> {
  const key = `change_${Object.hasOwn(TASKS, mode) ? mode : 'any'}`
  await db.advisoryLock(`flow/${key}`)
  const known = await db.find(
    flowProcess,
    sql`r.tenant_id = ${db.tenantId} and r.key = ${key}`,
    sql`order by r.id desc`,
  )
  if (known[0]) return known[0].id
  const xml =
    `${HEAD}<process id="${key}" name="变更审批" isExecutable="true"><startEvent id="start" name="提交"/>` +
    `<userTask id="decide" name="审批变更" ${TASKS[key.slice('change_'.length)]}</userTask>` +
    '<endEvent id="end" name="结束"/><sequenceFlow id="go" sourceRef="start" targetRef="decide"/>' +
    '<sequenceFlow id="done" sourceRef="decide" targetRef="end"/></process></definitions>'
  const graph = readBpmn(xml)
  const row = await db.insert(flowProcess, {
    name: graph.name,
    key,
    category: CHANGE_REQUEST_CATEGORY,
    processVersion: 1,
    suspensionState: PROCESS_SUSPENSION_STATE.active,
    xml,
    graph,
  })
  return row.id
}
