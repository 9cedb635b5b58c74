const HEAD =
  '<?xml version="1.0" encoding="UTF-8"?><definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" ' +
  'xmlns:flowable="http://flowable.org/bpmn" xmlns:store="urn:store:bpmn" ' +
  'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" ' +
  'targetNamespace="http://www.flowable.org/processdef">'

/**
 * Returns a process file with these elements, as Flowable's designer writes it: without diagram, incoming and outgoing.
 */
export const flowXml = (inner: string, key = 'leave', name = '请假流程'): string =>
  `${HEAD}<process id="${key}" name="${name}" isExecutable="true">${inner}</process></definitions>`

/** Returns a sequence flow, with a condition if given. */
export const line = (from: string, to: string, condition?: string): string =>
  `<sequenceFlow id="${from}-${to}" sourceRef="${from}" targetRef="${to}">${
    condition ? `<conditionExpression xsi:type="tFormalExpression"><![CDATA[${condition}]]></conditionExpression>` : ''
  }</sequenceFlow>`

/**
 * The leave process of older clients: a chosen person, then by number of days manager or boss, with conditions on the
 * flows out of their tasks; refused ones go back to the requester, who may give up.
 */
export const leaveXml = flowXml(`
  <startEvent id="start" name="开始" flowable:initiator="applyUser"/>
  <userTask id="hr" name="人事审批" flowable:assignee="\${taskUser}"/>
  <exclusiveGateway id="way" name="请假天数"/>
  <userTask id="manager" name="经理审批" flowable:candidateGroups="manager"/>
  <userTask id="boss" name="老板审批" flowable:candidateGroups="boss,administrator"/>
  <userTask id="again" name="调整申请" flowable:assignee="\${applyUser}"/>
  <endEvent id="end" name="结束"/>
  ${line('start', 'hr')}${line('hr', 'way', '${pass}')}${line('hr', 'again', '${!pass}')}
  ${line('way', 'manager', '${days <= 3}')}${line('way', 'boss', '${days > 3}')}
  ${line('manager', 'end', '${pass}')}${line('manager', 'again', '${!pass}')}
  ${line('boss', 'end', '${pass}')}${line('boss', 'again', '${!pass}')}
  ${line('again', 'hr', '${pass}')}${line('again', 'end', '${!pass}')}`)
