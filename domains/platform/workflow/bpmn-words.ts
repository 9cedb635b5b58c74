import { currentLanguage } from '#kit/web/base/language.tsx'

/** Chinese translations of bpmn-js's texts; its own are English. */
const zh: Record<string, string> = {
  'Activate hand tool': '移动画布',
  'Activate lasso tool': '框选',
  'Activate global connect tool': '连线',
  'Activate create/remove space tool': '腾出空间',
  'Create start event': '开始',
  'Create end event': '结束',
  'Create user task': '人工任务',
  'Create gateway': '网关',
  'Create timer': '定时器',
  'Append user task': '接人工任务',
  'Append end event': '接结束',
  'Append gateway': '接网关',
  'Append timer': '接定时器',
  'Add text annotation': '加注释',
  'Connect to other element': '连到别的元素',
  'Connect using association': '关联',
  'Change element': '更改类型',
  'Change type': '更改类型',
  Delete: '删除',
  Remove: '删除',
  'Set color': '颜色',
  'User task': '人工任务',
  'Exclusive gateway': '排他网关（择一）',
  'Parallel gateway': '并行网关（都走）',
  'Inclusive gateway': '包容网关（合条件的都走）',
  'Start event': '开始',
  'End event': '结束',
  'Timer intermediate catch event': '定时器',
  'Timer boundary event': '到时中断',
  'Timer boundary event (non-interrupting)': '到时提醒（不中断）',
  'Sequence flow': '连线',
  'Default flow': '默认连线',
  'Search in diagram': '在图中查找',
  'Search process elements': '查找元素',
  'No matching elements': '没有匹配的元素',
  'no shape type specified': '没有指定类型',
  'no parent for {element} in {parent}': '{element} 不能放在 {parent} 中',
  'element {element} referenced by {referenced}#{property} not yet drawn': '元素 {element} 还没有画出',
  'unknown di {di} for element {semantic}': '元素 {semantic} 的图形无法识别',
  'failed to import {element}': '无法读取 {element}',
  'Drag elements or click to add': '拖动或点击添加',
}

function translate(text: string, given: Record<string, string> = {}): string {
  const translation = (currentLanguage() === 'en' ? undefined : zh[text]) ?? text
  return translation.replace(/\{(\w{1,40})\}/g, (_whole, name: string) => given[name] ?? `{${name}}`)
}

export const bpmnTranslateModule = { translate: ['value', translate] }
