import './refusals.ts'
import { describe, expect, test } from 'vitest'
import iconv from 'iconv-lite'
import { refusalSentence } from '#kit/server/request/envelope.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { isProcessEnded, computeNextProcessState } from './machine.ts'
import { readBpmn, readBpmnWithIds } from './read-bpmn.ts'
import { decodeXmlText } from './xml-text.ts'
import { flowXml, leaveXml, line } from './test-flows.ts'

const task = '<userTask id="t" name="审批" flowable:assignee="1"/>'
const ends = `<startEvent id="s"/><endEvent id="e"/>`
const whole = (more: string) => flowXml(`${ends}${task}${line('s', 't')}${line('t', 'e')}${more}`)

/** Returns the refusal codes of all faults in a file. */
function faultsOf(xml: string): string[] {
  try {
    return [readBpmn(xml)].slice(1) as never
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return (error.data.reasons as string[] | undefined) ?? [error.code]
  }
}

function sentence(xml: string, lang: 'zh' | 'en' = 'zh'): string {
  try {
    readBpmn(xml)
    return ''
  } catch (error) {
    return refusalSentence(error as Refused, lang)
  }
}

describe('a process file', () => {
  test('of Flowable is read with its people, conditions and lines', () => {
    const graph = readBpmn(leaveXml)
    expect(graph).toMatchObject({ key: 'leave', name: '请假流程', start: 'start', initiator: 'applyUser' })
    expect(graph.nodes.boss).toMatchObject({ name: '老板审批', type: 'user', groups: 'boss,administrator' })
    expect(graph.nodes.way!.outs).toEqual(['way-manager', 'way-boss'])
    expect(graph.lines['way-manager']!.condition).toBe('${days <= 3}')
    expect(graph.lines['hr-again']!.condition).toBe('${!pass}')
  })

  test('of Activiti and with prefixes of its own is read alike', () => {
    const xml = leaveXml
      .replaceAll('flowable:', 'activiti:')
      .replace('xmlns:flowable', 'xmlns:activiti')
      .replace('http://flowable.org/bpmn', 'http://activiti.org/bpmn')
      .replace('xmlns:activiti:', 'xmlns:')
      .replace('xmlns="http://www.omg', 'xmlns:b="http://www.omg')
      .replace(/<(\/?)(?=[a-z])/g, '<$1b:')
      .replace('<b:?xml', '<?xml')
    expect(readBpmn(xml)).toEqual(readBpmn(leaveXml))
  })

  test.each([
    ['no XML', 'hello', 'flow_no_xml'],
    ['a DTD', `<!DOCTYPE a [<!ENTITY x "y">]>${leaveXml.slice(leaveXml.indexOf('<definitions'))}`, 'flow_no_xml'],
    ['an entity', whole('').replace('name="审批"', 'name="&xxe;"'), 'flow_no_xml'],
    ['an attribute without quotes', whole('').replace('id="t"', 'id=t'), 'flow_no_xml'],
    ['a control character', whole('').replace('审批', '\u0001'), 'flow_no_xml'],
    ['a second root', `${whole('')}<definitions/>`, 'flow_no_xml'],
    ['no process', flowXml('').replaceAll('process', 'collaboration'), 'flow_no_process'],
    ['no start', flowXml('<endEvent id="e"/>'), 'flow_start_once'],
    ['two starts', whole('<startEvent id="s2"/>'), 'flow_start_once'],
    ['a line to nowhere', whole(line('t', 'x')), 'flow_loose_line'],
    ['one id twice', whole(task), 'flow_double'],
  ])('with %s is refused', (_, xml, code) => expect(faultsOf(xml)).toContain(code))

  test.each([
    ['a script', '<scriptTask id="x" name="脚本"/>', 'flow_cannot'],
    ['a service', '<serviceTask id="x" name="脚本" flowable:class="a.B"/>', 'flow_cannot'],
    ['a sub-process', '<subProcess id="x" name="脚本"/>', 'flow_cannot'],
    [
      'a message',
      '<intermediateCatchEvent id="x" name="脚本"><messageEventDefinition/></intermediateCatchEvent>',
      'flow_cannot',
    ],
    ['a terminating end', '<endEvent id="x" name="脚本"><terminateEventDefinition/></endEvent>', 'flow_cannot'],
    [
      'a listener',
      '<userTask id="x" name="脚本"><extensionElements><flowable:taskListener class="a.B"/>' +
        '</extensionElements></userTask>',
      'flow_cannot',
    ],
    [
      'a repeated timer',
      '<intermediateCatchEvent id="x" name="脚本"><timerEventDefinition><timeCycle>R3/PT1H</timeCycle>' +
        '</timerEventDefinition></intermediateCatchEvent>',
      'flow_cannot',
    ],
    [
      'a time that is none',
      '<intermediateCatchEvent id="x" name="脚本"><timerEventDefinition><timeDuration>soon</timeDuration>' +
        '</timerEventDefinition></intermediateCatchEvent>',
      'flow_no_time',
    ],
    [
      'a countersign of nobody',
      '<userTask id="x" name="脚本"><multiInstanceLoopCharacteristics/></userTask>',
      'flow_no_list',
    ],
    ['a task that nothing leads to', `<userTask id="x" name="脚本"/>${line('x', 'e')}`, 'flow_from_nowhere'],
    ['a task that nothing follows', `<userTask id="x" name="脚本"/>${line('t', 'x')}`, 'flow_to_nowhere'],
    [
      'a method',
      `<userTask id="x" name="脚本" flowable:assignee="\${a.b()}"/>${line('t', 'x')}${line('x', 'e')}`,
      'flow_bad_expression',
    ],
    [
      'a way without condition',
      `<exclusiveGateway id="x" name="脚本"/>${line('t', 'x')}${line('x', 'e', '${pass}')}` +
        '<sequenceFlow id="y" name="脚本" sourceRef="x" targetRef="t"/>',
      'flow_no_condition',
    ],
    [
      'a timer on nothing',
      '<boundaryEvent id="x" name="脚本"><timerEventDefinition><timeDuration>PT1H</timeDuration>' +
        `</timerEventDefinition></boundaryEvent>${line('x', 'e')}`,
      'flow_no_host',
    ],
  ])('with %s is refused by the name of the element', (_, inner, code) =>
    expect([faultsOf(whole(inner)), sentence(whole(inner))]).toEqual([
      expect.arrayContaining([code]),
      expect.stringContaining('脚本'),
    ]),
  )

  test('says at once all that is wrong with it, each thing once and by name, in both languages', () => {
    const xml = whole(
      '<scriptTask id="x" name="脚本"/><sendTask id="y" name="通知"/><userTask id="z" name="复核"/>' +
        `${line('t', 'nowhere')}${line('y', 'z', 'days > 3')}`,
    )
    expect(faultsOf(xml)).toEqual([
      'flow_cannot',
      'flow_loose_line',
      'flow_from_nowhere',
      'flow_to_nowhere',
      'flow_bad_expression',
    ])
    expect(sentence(xml)).toMatch(
      /^流程文件有 6 处问题：“脚本”是不支持的元素（scriptTask）；“通知”是不支持的元素（sendTask）；/,
    )
    expect(sentence(xml, 'en')).toContain('“脚本” is an unsupported element (scriptTask); “通知”')
  })

  test('that says of itself that it does not run is read all the same, as designers write it', () => {
    expect(readBpmn(leaveXml.replace('isExecutable="true"', 'isExecutable="false"'))).toEqual(readBpmn(leaveXml))
    const pool = '<process id="outside" isExecutable="false"/>'
    expect(readBpmn(leaveXml.replace('</definitions>', `${pool}</definitions>`))).toEqual(readBpmn(leaveXml))
    const other = `<process id="other" isExecutable="false">${ends}${line('s', 'e')}</process>`
    expect(readBpmn(leaveXml.replace('</definitions>', `${other}</definitions>`))).toEqual(readBpmn(leaveXml))
    expect(
      faultsOf(
        leaveXml
          .replace('isExecutable="true"', 'isExecutable="false"')
          .replace('</definitions>', `${other}</definitions>`),
      ),
    ).toEqual(['flow_many_processes'])
  })

  test('with data, notes and groups beside its tasks runs without them', () => {
    const sideElements =
      '<dataObject id="d"/><dataObjectReference id="dr" dataObjectRef="d"/><dataStoreReference id="ds"/>' +
      '<group id="g"/><textAnnotation id="a"/><association id="as" sourceRef="t" targetRef="a"/>' +
      '<ioSpecification/><property id="p"/>'
    const about = '<dataInputAssociation id="di"/><property id="pp"/>'
    const xml = whole(sideElements).replace('flowable:assignee="1"/>', `flowable:assignee="1">${about}</userTask>`)
    expect(readBpmn(xml)).toEqual(readBpmn(whole('')))
  })

  test('whose elements have no id is given some, in the file too, and names them by what they join', () => {
    const bare = (from: string, to: string) => `<sequenceFlow sourceRef="${from}" targetRef="${to}"/>`
    const xml = flowXml(`${ends}${task}${bare('s', 't')}\r\n${bare('t', 'e')}<userTask name="多余"></userTask>`)
    expect(faultsOf(xml)).toEqual(['flow_from_nowhere', 'flow_to_nowhere'])
    expect(sentence(xml)).toContain('没有连线通到“多余”')
    const read = readBpmnWithIds(xml.replace('<userTask name="多余"></userTask>', ''))
    expect(Object.values(read.graph.lines)).toMatchObject([{ name: 's → 审批' }, { name: '审批 → e' }])
    expect(readBpmn(read.xml)).toMatchObject({ nodes: read.graph.nodes })
    expect(read.xml.match(/ id="sequenceFlow_\d"/g)).toEqual([' id="sequenceFlow_1"', ' id="sequenceFlow_2"'])
    expect(readBpmnWithIds(leaveXml).xml).toBe(leaveXml)
    expect(sentence(whole('<subProcess/>'))).toContain('subProcess_1')
  })

  test('whose elements without id are very many is read in a time that grows no faster than they do', () => {
    const elements = (count: number, text: (n: number) => string) =>
      Array.from({ length: count }, (_, at) => text(at + 1)).join('')
    // All low numbers are taken: searching from 1 for each element would be quadratic.
    const xml = whole(elements(11_000, (n) => `<task id="task_${n}"/>`) + elements(11_000, () => '<task/>'))
    const begun = performance.now()
    expect(faultsOf(xml)).toEqual(['flow_too_big'])
    expect(performance.now() - begun).toBeLessThan(10_000)
    const few = readBpmnWithIds(
      flowXml(`${ends}<userTask id="userTask_2" name="甲" flowable:assignee="1"/>
      <userTask name="乙" flowable:assignee="1"/><userTask name="丙" flowable:assignee="1"/>
      ${line('s', 'userTask_2')}${line('userTask_2', 'userTask_1')}${line('userTask_1', 'userTask_3')}
      ${line('userTask_3', 'e')}`),
    )
    expect(Object.values(few.graph.nodes).map(({ id, name }) => `${id} ${name}`)).toEqual(
      expect.arrayContaining(['userTask_2 甲', 'userTask_1 乙', 'userTask_3 丙']),
    )
  })

  test.each([
    [
      'a condition that is no expression',
      whole('').replace('targetRef="e">', `targetRef="e"><conditionExpression>pass</conditionExpression>`),
    ],
    [
      'a condition with a text beside its expression',
      whole('').replace('targetRef="e">', 'targetRef="e"><conditionExpression>${days} > 3</conditionExpression>'),
    ],
  ])('with %s is refused when it is read, not when somebody waits', (_, xml) =>
    expect(sentence(xml)).toContain('条件须写成 ${…}'),
  )

  test('with a due time nobody can read is refused', () =>
    expect(
      faultsOf(whole('').replace('flowable:assignee="1"', 'flowable:assignee="1" flowable:dueDate="in 2 days"')),
    ).toEqual(['flow_no_time']))

  test("asks who started it where Flowable's designer says so", () => {
    const xml = whole('').replace('flowable:assignee="1"', 'flowable:assignee="$INITIATOR"')
    const event = { do: 'start', who: { id: '77', groups: [] }, variables: {} } as const
    expect(computeNextProcessState(readBpmn(xml), undefined, event, 0).state.tasks).toMatchObject([{ assignee: '77' }])
    const named = xml.replace('<startEvent id="s"', '<startEvent id="s" flowable:initiator="applyUser"')
    expect(readBpmn(named).nodes.t!.assignee).toBe('${applyUser}')
  })

  test('has conditions behind a task where each way has one or is the default; they decide once it is done', () => {
    const task2 = task.replace('<userTask', '<userTask default="t-e"')
    const again = (xml: string) =>
      flowXml(`${ends}${xml}${line('s', 't')}${line('t', 't', '${!pass}')}${line('t', 'e')}`)
    expect(faultsOf(again(task))).toEqual(['flow_no_condition'])
    const graph = readBpmn(again(task2))
    const who = { id: '1', groups: [] }
    const { state } = computeNextProcessState(graph, undefined, { do: 'start', who, variables: {} }, 0)
    const sign = (isPassed: boolean) =>
      computeNextProcessState(
        graph,
        state,
        { do: 'complete', task: state.tasks[0]!.id, who, isPassed, variables: {} },
        0,
      ).state
    expect(isProcessEnded(sign(true))).toBe(true)
    expect(sign(false).tasks).toMatchObject([{ node: 't' }])
    expect(faultsOf(whole('<parallelGateway id="p"/>' + line('t', 'p') + line('p', 'e', '${pass}')))).toContain(
      'flow_condition_stray',
    )
  })

  test.each(['GBK', 'gb2312', 'GB18030', 'UTF-16', 'utf-8'])('written in %s is read as it says', (encoding) => {
    const xml = leaveXml.replace('encoding="UTF-8"', `encoding="${encoding}"`)
    const bytes = iconv.encode(xml, encoding, { addBOM: encoding === 'UTF-16' })
    expect(readBpmn(decodeXmlText(bytes))).toEqual(readBpmn(leaveXml))
    expect(decodeXmlText(bytes)).toContain('encoding="UTF-8"')
  })

  test('written otherwise than it says is refused, not read wrong', () => {
    expect(() => decodeXmlText(iconv.encode(leaveXml, 'gbk'))).toThrow(
      expect.objectContaining({ code: 'flow_no_encoding' }),
    )
    expect(() => decodeXmlText(Buffer.from(leaveXml.replace('encoding="UTF-8"', 'encoding="klingon"')))).toThrow(
      expect.objectContaining({ code: 'flow_no_encoding', params: { encoding: 'klingon' } }),
    )
  })
})
