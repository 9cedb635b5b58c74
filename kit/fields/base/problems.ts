import type { LocalizedText } from '../../base/localized-text.ts'

/**
 * Sentences for why a field refuses a value, by code. `{label}` is the field's own label, so that no sentence names
 * another.
 */
export const FIELD_PROBLEM_TEXTS = {
  required: { zh: '请输入{label}', en: '{label} is required' },
  required_choice: { zh: '请选择{label}', en: '{label} is required' },
  not_text: { zh: '{label}应为文字', en: '{label} must be text' },
  bad_characters: { zh: '{label}含有无法保存的字符', en: '{label} contains characters that cannot be saved' },
  too_long: { zh: '{label}最多{max}个字符', en: '{label} can have up to {max} {max|character|characters}' },
  too_short: { zh: '{label}至少{min}个字符', en: '{label} needs at least {min} {min|character|characters}' },
  only_blanks: { zh: '{label}不能全是空格', en: '{label} cannot be blank' },
  bad_format: { zh: '{label}格式不正确', en: 'Check the format of {label}' },
  not_a_number: {
    zh: '{label}应为数字，最多{decimals}位小数',
    en: '{label} must be a number with up to {decimals} {decimals|decimal|decimals}',
  },
  not_an_integer: { zh: '{label}应为整数', en: '{label} must be a whole number' },
  not_money: { zh: '{label}应为金额，最多两位小数', en: '{label} must be an amount with up to two decimals' },
  too_small: { zh: '{label}不能小于{min}', en: '{label} must be at least {min}' },
  too_early: { zh: '{label}不能早于 {min}', en: '{label} cannot be before {min}' },
  too_late: { zh: '{label}不能晚于 {max}', en: '{label} cannot be after {max}' },
  too_large: { zh: '{label}不能大于{max}', en: '{label} must be at most {max}' },
  zero: { zh: '{label}不能为 0', en: '{label} cannot be 0' },
  not_yes_no: { zh: '{label}应为是或否', en: '{label} must be yes or no' },
  not_a_choice: { zh: '{label}不在可选范围内', en: '{label} is not one of the options' },
  doors_apart: {
    zh: '{label}：每扇门只设一次，门号 1–99，开门保持 {relock} 秒，开门超时 {held} 秒',
    en:
      '{label}: list each door once, with a number from 1 to 99, an unlock time of {relock} s and a ' +
      'held-open alarm after {held} s',
  },
  light_periods: {
    zh: '{label}：最多 {max} 段，每段的开始和结束时间要不同，并至少选一天',
    en: '{label}: up to {max} periods, each with at least one day and an end that differs from its start',
  },
  not_a_list: { zh: '{label}应为逗号分隔的列表', en: '{label} must be a comma-separated list' },
  too_many: { zh: '{label}最多{max}项', en: '{label} can have up to {max} {max|item|items}' },
  not_an_id: { zh: '{label}不是有效的编号', en: '{label} is not a valid ID' },
  not_a_date: { zh: '{label}应为日期，如 2026-01-31', en: '{label} must be a date, for example, 2026-01-31' },
  not_a_datetime: {
    zh: '{label}应为时间，如 2026-01-31 08:00:00',
    en: '{label} must be a date and time, for example, 2026-01-31 08:00:00',
  },
  phone_length: { zh: '{label}不是11位', en: '{label} must have 11 digits' },
  phone_format: { zh: '{label}格式不正确', en: 'Check the format of {label}' },
  not_an_email: { zh: '{label}不是有效的邮箱', en: '{label} is not a valid email address' },
  not_a_url: { zh: '{label}应以 http:// 或 https:// 开头', en: '{label} must start with http:// or https://' },
  not_a_colour: { zh: '{label}应为颜色，如 #409EFF', en: '{label} must be a color, for example, #409EFF' },
  not_a_picture: { zh: '{label}须为图片文件', en: '{label} must be an image' },
  not_a_link: { zh: '{label}不是有效的文件地址', en: '{label} is not a valid file link' },
  not_a_region: { zh: '{label}不是有效的行政区划代码', en: '{label} is not a valid region code' },
  not_a_location: { zh: '{label}应为"经度,纬度"', en: '{label} must be "longitude,latitude"' },
  not_json: { zh: '{label}不是有效的 JSON', en: '{label} is not valid JSON' },
  not_a_schedule: { zh: '{label}不是有效的定时表达式', en: '{label} is not a valid schedule' },
  not_found: { zh: '{label}不存在', en: '{label} does not exist' },
  of_other: { zh: '{label}不属于所选{owner}', en: '{label} belongs to another {owner}' },
  taken: { zh: '{label}已存在', en: '{label} already exists' },
  ambiguous: {
    zh: '{label}有 {count} 条名为“{name}”的数据，请填写编号',
    en: '{label}: {count} {count|record is|records are} named “{name}”. Enter the code or ID.',
  },
  fixed_after_adding: { zh: '{label}新增后不能修改', en: '{label} cannot be changed after it is added' },
  cell_error: { zh: '{label}的公式没有结果：{error}', en: '{label}: the formula has no result ({error})' },
  digits_lost: {
    zh: '{label}超过15位，作为数字会丢失末位，请设为文本格式后重填',
    en:
      '{label} has more than 15 digits, so a number cell loses the last ones. Format the cell as text ' +
      'and enter it again.',
  },
  no_such_part: { zh: '{label}中没有“{name}”', en: '{label}: “{name}” was not found' },
  part_twice: { zh: '{label}中“{name}”出现了两次', en: '{label}: “{name}” appears twice' },
  twice: { zh: '{label}与第 {line} 行重复', en: '{label} duplicates row {line}' },
} satisfies Record<string, LocalizedText>

export type FieldProblemCode = keyof typeof FIELD_PROBLEM_TEXTS
