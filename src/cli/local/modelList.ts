import { join } from 'node:path';
import { MODEL_ROLES, type ModelRole } from '../../base/models.ts';
import { type CatalogueModel, sizeOfModel } from '../../engines/models/catalogue.ts';
import { type ModelState, modelState } from '../../engines/models/modelState.ts';
import { readCatalogue } from '../../engines/models/readCatalogue.ts';
import { type ModelSettings, readModelSettings } from '../../engines/models/usedModels.ts';
import type { Context } from '../context.ts';
import { type ModelFlags, roleName, sizeText } from '../flags/modelOptions.ts';
import { type Column, printRecords } from '../print/table.ts';

interface ListedModel {
  /** Name in the catalogue, or the path of a directory in use. */
  readonly name: string;
  readonly roles: readonly ModelRole[];
  readonly usedFor: readonly ModelRole[];
  readonly directory: string;
  readonly state?: ModelState;
  /** Entry of the catalogue, if there is one. */
  readonly model?: CatalogueModel;
}

/** Maximum number of named languages; of more, the number is shown. */
const MAX_LANGUAGES_SHOWN = 5;

const COLUMNS: readonly Column<ListedModel>[] = [
  ['name', ({ name }) => name],
  ['for', ({ roles }) => roles.map(roleName).join(', ')],
  ['languages', ({ model }) => model && languagesText(model.languages)],
  ['size', ({ model }) => model && sizeText(sizeOfModel(model))],
  ['licence', ({ model }) => model?.licence],
  ['state', stateText],
];

/** Prints the catalogue, then other directories in use. */
export async function runModelList({ stdout }: Context, flags: ModelFlags): Promise<void> {
  const settings = await readModelSettings();
  const listed = await Promise.all(
    (await readCatalogue(flags.catalogue)).map(async (model): Promise<ListedModel> => {
      const directory = join(flags.directory, model.name);
      const state = await modelState(model, flags.directory);
      const usedFor = rolesOf(settings, directory);
      return { name: model.name, roles: model.roles, usedFor, directory, state, model };
    }),
  );
  const known = new Set(listed.map(({ directory }) => directory));
  const others = [...new Set(Object.values(settings))].filter(path => !known.has(path));
  const own = others.map((directory): ListedModel => {
    const usedFor = rolesOf(settings, directory);
    return { name: directory, roles: usedFor, usedFor, directory };
  });
  printRecords(stdout, [...listed, ...own], COLUMNS, { json: flags.json, encode });
}

function rolesOf(settings: ModelSettings, directory: string): readonly ModelRole[] {
  return MODEL_ROLES.filter(role => settings[role] === directory);
}

function languagesText(languages: readonly string[]): string {
  if (languages.length === 0) return 'any';
  return languages.length > MAX_LANGUAGES_SHOWN ? `${languages.length} languages` : languages.join(', ');
}

function stateText({ state, usedFor }: ListedModel): string {
  const states = [state === 'absent' ? undefined : state, usedFor.length > 0 ? 'used' : undefined];
  return states.filter(text => text !== undefined).join(', ');
}

function encode({ name, roles, usedFor, directory, state, model }: ListedModel): object {
  return {
    name,
    for: roles.map(roleName),
    used_for: usedFor.map(roleName),
    directory,
    ...(model && {
      state,
      languages: model.languages,
      bytes: sizeOfModel(model),
      licence: model.licence,
    }),
  };
}
