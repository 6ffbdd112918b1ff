// SPDX-License-Identifier: MIT
//
// materials.c: the named materials. Figures are round and typical, for small strains at room or body temperature; real
// samples scatter, living tissue by a factor of ten. The damping is a choice of this library: about the loss that lets
// a hand-sized piece ring a few times.

#include "damping.h"

#include <math.h>
#include <string.h>

#define ASHBY                                                                                                          \
    "M. F. Ashby, Materials Selection in Mechanical Design (Butterworth-Heinemann), property charts and tables"
#define FUNG "Y. C. Fung, Biomechanics: Mechanical Properties of Living Tissues (Springer, 2nd ed. 1993)"
#define DUCK "density from F. A. Duck, Physical Properties of Tissue (Academic Press, 1990)"
#define CELLULAR "L. J. Gibson and M. F. Ashby, Cellular Solids: Structure and Properties (Cambridge, 2nd ed. 1997)"
#define NEAR "; nearly incompressible, taken as 0.45"

static const rslNamedMaterial table[] = {
    { "aluminium", 7.0e10, 0.33, 2700.0, 1e-7, "pure aluminium and its alloys: " ASHBY },
    { "cork", 2.0e7, 0.05, 170.0, 2e-4, "modulus and near-zero Poisson's ratio across the cells: " CELLULAR },
    { "fat", 3.0e3, 0.45, 920.0, 5e-3,
      "breast fat at small strain, A. Samani, J. Zubovits and D. Plewes, Phys. Med. Biol. 52 (2007) 1565; " DUCK NEAR },
    { "foam", 1.0e5, 0.3, 30.0, 2e-3, "flexible open-cell polymer foam: " CELLULAR },
    { "gelatine", 9.0e3, 0.45, 1010.0, 1e-3,
      "4 % gelatine, shear modulus 3.1 kPa, M. M. Nguyen et al., Ultrasound Med. Biol. 40 (2014) 168" NEAR },
    { "muscle", 1.5e4, 0.45, 1050.0, 3e-3,
      "passive skeletal muscle at small strain, order of magnitude: " FUNG "; " DUCK NEAR },
    { "rubber", 2.0e6, 0.48, 1100.0, 1e-4,
      "soft vulcanised natural rubber: " ASHBY "; nearly incompressible, taken as 0.48" },
    { "silicone", 5.0e5, 0.48, 1100.0, 1e-4,
      "soft casting silicone elastomer, lower end of the silicone range: " ASHBY
      "; nearly incompressible, taken as 0.48" },
    { "skin", 2.0e5, 0.45, 1100.0, 2e-3, "skin at small strain, order of magnitude: " FUNG "; " DUCK NEAR },
    { "soft_tissue", 1.0e4, 0.45, 1050.0, 3e-3,
      "generic soft organ at small strain, order of magnitude: " FUNG "; " DUCK NEAR },
    { "steel", 2.1e11, 0.3, 7850.0, 1e-7, "carbon steel: " ASHBY },
    { "wood", 1.0e10, 0.35, 600.0, 1e-6, "pine along the grain, taken as isotropic: " ASHBY },
};

const rslNamedMaterial* rslMaterial_Table(int* count)
{
    *count = (int)(sizeof table / sizeof table[0]);
    return table;
}

const rslNamedMaterial* rslMaterial_Find(const char* name)
{
    for (size_t i = 0; name != NULL && i < sizeof table / sizeof table[0]; ++i)
    {
        if (strcmp(table[i].name, name) == 0)
        {
            return &table[i];
        }
    }
    return NULL;
}

static double Either(double given, double fallback)
{
    return isnan(given) ? fallback : given;
}

rslMaterialDef rslMaterial_Resolve(const rslMaterialDef* material)
{
    rslMaterialDef resolved = *material;
    const rslNamedMaterial* named = rslMaterial_Find(material->name);
    if (named != NULL)
    {
        resolved.young = Either(material->young, named->young);
        resolved.poisson = Either(material->poisson, named->poisson);
        resolved.density = Either(material->density, named->density);
    }
    const rslOrthotropicDef* axes = material->orthotropic;
    if (axes != NULL)
    {
        resolved.young = Either(resolved.young, (axes->young.x + axes->young.y + axes->young.z) / 3.0);
        resolved.poisson = Either(resolved.poisson, 0.25);
    }
    resolved.stiffnessDamping = Either(material->stiffnessDamping, named != NULL ? named->stiffnessDamping : 0.0);
    if (material->damping != NULL)
    {
        bool known = material->damping->frequencyCount > 0 && material->damping->ratioCount > 0;
        rslRates rates = known ? rslDamping_Rates(material->damping, 0.0) : (rslRates){ 0 };
        resolved.massDamping = rates.mass;
        resolved.stiffnessDamping = rates.stiffness;
    }
    return resolved;
}
