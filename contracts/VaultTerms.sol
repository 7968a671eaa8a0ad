// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {PricingMath} from "./PricingMath.sol";
import {BPS_DENOMINATOR, Claim, ClaimState, MAX_PREMIUMS, Mandate, Pricing, QuoteReason} from "./Types.sol";

/// @notice Mandate and pricing of a vault, which its owner, the curator, sets: what it finances, and at which discount.
abstract contract VaultTerms is Ownable2Step {
    Mandate private _mandate;
    Pricing private _pricing;

    event MandateChanged(Mandate mandate);
    event PricingChanged(Pricing pricing);

    error InvalidMandate();
    error InvalidPricing(uint256 highestBps);
    error TooManyPremiums(uint256 count);

    constructor(address curator, Mandate memory mandate_, Pricing memory pricing_) Ownable(curator) {
        _checkTerms(mandate_, pricing_);
        _mandate = mandate_;
        _pricing = pricing_;
    }

    function setMandate(Mandate calldata next) external onlyOwner {
        _checkTerms(next, _pricing);
        _mandate = next;
        emit MandateChanged(next);
    }

    function setPricing(Pricing calldata next) external onlyOwner {
        _checkTerms(_mandate, next);
        _pricing = next;
        emit PricingChanged(next);
    }

    function mandate() external view returns (Mandate memory) {
        return _mandate;
    }

    function pricing() external view returns (Pricing memory) {
        return _pricing;
    }

    // ---------------------------------------------------------------- prices

    /// @dev Face of a claim that the vault holds.
    function _heldFace(bytes32 claimId) internal view virtual returns (uint256);

    function _refusal(bytes32 claimId, Claim memory record, address token, uint256 faceAmount)
        internal
        view
        returns (QuoteReason)
    {
        if (record.state != ClaimState.ELIGIBLE && record.state != ClaimState.PARTIALLY_FUNDED) {
            return QuoteReason.CLAIM_NOT_FINANCEABLE;
        }
        if (record.dueDate <= block.timestamp) return QuoteReason.CLAIM_PAST_DUE;
        if (record.token != token) return QuoteReason.TOKEN_MISMATCH;
        if ((_mandate.supportedTypesBitmap >> record.claimType) & 1 == 0) return QuoteReason.TYPE_NOT_SUPPORTED;
        uint256 daysToDue = PricingMath.daysToDueRoundedDown(record.dueDate, block.timestamp);
        if (daysToDue < _mandate.minDurationDays) return QuoteReason.DURATION_BELOW_MINIMUM;
        if (daysToDue > _mandate.maxDurationDays) return QuoteReason.DURATION_EXCEEDED;
        if (faceAmount < _mandate.minFace) return QuoteReason.BELOW_MINIMUM_LOT;
        if (faceAmount > _mandate.maxFace) return QuoteReason.ABOVE_MAXIMUM_LOT;
        if (faceAmount > record.faceValue - record.financedFaceValue) return QuoteReason.FACE_EXCEEDS_REMAINING;
        // The vault holds at most the face that is financed, so most quotes need no sum of its slices.
        bool canExceed = record.financedFaceValue + faceAmount > _mandate.maxClaimFace;
        if (canExceed && _heldFace(claimId) + faceAmount > _mandate.maxClaimFace) {
            return QuoteReason.ABOVE_MAXIMUM_CLAIM_FACE;
        }
        return QuoteReason.NONE;
    }

    /// @dev A discount can exceed the face only beyond the mandate's duration, where nothing is financed anyway.
    function _price(Claim memory record, uint256 faceAmount)
        internal
        view
        returns (uint256 discountAmount, uint256 advanceAmount)
    {
        uint256 daysToDue = PricingMath.daysToDueRoundedDown(record.dueDate, block.timestamp);
        uint256 bps = Math.min(PricingMath.totalBps(_pricing, record.claimType, daysToDue), BPS_DENOMINATOR);
        discountAmount = PricingMath.discountRoundedUp(faceAmount, bps);
        advanceAmount = faceAmount - discountAmount;
    }

    /// @dev The mandate must leave room for a slice, and its most expensive rate must be below 100 %. The discount of a
    /// few base units can still be the whole face, since it is rounded up.
    function _checkTerms(Mandate memory mandate_, Pricing memory pricing_) private pure {
        if (mandate_.minFace == 0 || mandate_.minFace > Math.min(mandate_.maxFace, mandate_.maxClaimFace)) {
            revert InvalidMandate();
        }
        if (mandate_.minDurationDays > mandate_.maxDurationDays) revert InvalidMandate();
        // A premium for every possible type is enough; a longer list would only make each quote more expensive.
        if (pricing_.premiumBps.length > MAX_PREMIUMS) revert TooManyPremiums(pricing_.premiumBps.length);
        uint256 highestPremium;
        for (uint256 i; i < pricing_.premiumBps.length; ++i) {
            highestPremium = Math.max(highestPremium, pricing_.premiumBps[i]);
        }
        uint256 highestBps = uint256(pricing_.baseDiscountBps)
            + uint256(pricing_.durationBpsPerDay) * mandate_.maxDurationDays + highestPremium;
        if (highestBps >= BPS_DENOMINATOR) revert InvalidPricing(highestBps);
    }
}
